"""Numba at work: kernels become object code. Imported only where something must be compiled.

Three things are taught to Numba here:
- games and evaluations are *tags*: values of no size whose attributes are resolved while
  compiling, numbers to constants and functions to direct calls;
- plain Python functions and kernels may be called without any decorator;
- the bit and memory functions of this room are machine instructions.
"""

# Numba is typed in parts only.
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any
from unittest.mock import patch

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import errors, types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.datamodel.models import OpaqueModel
from numba.core.imputils import lower_builtin
from numba.core.registry import cpu_target
from numba.core.typeinfer import TypeInferer
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.extending import (
    infer_getattr,
    lower_getattr_generic,
    register_model,
    typeof_impl,
)
from numba.np import arrayobj

from petteia.compiled import contract, entries, mathematics, reasons
from petteia.compiled.disk import Entry
from petteia.compiled.fingerprint import method_of
from petteia.compiled.instructions import REPLACEMENTS
from petteia.compiled.kernel import Kernel
from petteia.compiled.long_tuples import with_short_tuples
from petteia.compiled.native import Sort
from petteia.compiled.targets import HOST, Target, machine_of
from petteia.core.compile_time import CompileTime
from petteia.core.errors import PetteiaError

__all__ = ["compile"]

# The kernels allocate nothing, so that arrays need no reference counts; division by zero gives
# what the processor gives, so that no kernel needs an exception.
_OPTIONS: Any = {
    "nopython": True,
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "error_model": "numpy",
    "_nrt": False,
}

_dispatchers: dict[FunctionType, Any] = {}
_tags: list[CompileTime] = []


def _dispatcher(function: FunctionType) -> Any:
    if function not in _dispatchers:
        _dispatchers[function] = numba.jit(**_OPTIONS)(with_short_tuples(function))
    return _dispatchers[function]


class _Callee(types.Dispatcher):
    """A function called from a kernel: compiled for the type of a number, never for its value.

    Numba would compile ``f(p, 1)`` for the literal 1, and a recursion that starts so never ends.
    """

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return super().get_call_type(context, tuple(map(types.unliteral, args)), kws)


# An argument such as ``a if c else b`` makes the function itself a variable.
register_model(_Callee)(OpaqueModel)


def _callee(function: FunctionType) -> Any:
    return _Callee(_dispatcher(function))


# --- tags -------------------------------------------------------------------------------------


class TagType(types.Opaque):
    """The type of one game or evaluation; the key is its place in the list of tags."""

    def __init__(self, key: int) -> None:
        self.key_number = key
        super().__init__(f"Tag{key}")


register_model(TagType)(OpaqueModel)


def _tag_type(tag: CompileTime) -> TagType:
    for key, known in enumerate(_tags):
        if known is tag:
            return TagType(key)
    _tags.append(tag)
    return TagType(len(_tags) - 1)


_lowered: set[str] = set()


def _lower_method(attribute: str) -> None:
    """Teaches the back end the call ``tag.attribute(...)``, once for every name."""
    if attribute in _lowered:
        return
    _lowered.add(attribute)

    @lower_builtin((TagType, attribute), TagType, types.VarArg(types.Any))
    def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tag = _tags[signature.args[0].key_number]
        callee = _callee(getattr(type(tag), attribute))
        full = callee.get_call_type(context.typing_context, signature.args, {})
        function = context.get_function(callee, full)
        context.add_linking_libs(getattr(function, "libs", ()))
        return function(builder, args)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = TagType

    def generic_resolve(self, tag_type: TagType, attribute: str) -> Any:
        tag = _tags[tag_type.key_number]
        method = method_of(tag, attribute)
        if method is None:
            value = getattr(tag, attribute, None)
            return numba.typeof(value) if value is not None else None
        _lower_method(attribute)
        callee = _callee(method)

        class Method(AbstractTemplate):
            key = (TagType, attribute)

            def generic(self, args: Any, kws: Any) -> Any:
                signature = callee.get_call_type(self.context, (tag_type, *args), kws)
                return signature.as_method() if signature is not None else None

        return types.BoundFunction(Method, tag_type)


@lower_getattr_generic(TagType)
def _constant(context: Any, builder: Any, tag_type: TagType, _: Any, attribute: str) -> Any:
    tag = _tags[tag_type.key_number]
    if method_of(tag, attribute) is not None:
        return context.get_dummy_value()
    value = getattr(tag, attribute)
    return context.get_constant_generic(builder, numba.typeof(value), value)


@typeof_impl.register(CompileTime)
def _typeof_tag(value: CompileTime, _: Any) -> Any:
    return _tag_type(value)


@typeof_impl.register(Kernel)
def _typeof_kernel(value: Kernel[Any, Any], _: Any) -> Any:
    return _callee(value.function)


@typeof_impl.register(FunctionType)
def _typeof_function(value: FunctionType, _: Any) -> Any:
    if (value.__module__ or "").partition(".")[0] in ("numba", "numpy", "math", "operator"):
        return None
    replacement = REPLACEMENTS.get(value, value)
    if isinstance(replacement, FunctionType):
        return _callee(replacement)
    return cpu_target.typing_context.resolve_value_type(replacement)


# --- compiling --------------------------------------------------------------------------------


def _told_type(function: FunctionType) -> Any:
    told = function.__annotations__.get("return")
    return {"float": types.float64, "int": types.int64}.get(told) if told else None


@contextlib.contextmanager
def _lean() -> Iterator[None]:
    """Spares Numba work that is thrown away here; together it halves the time to compile.

    Functions inside a kernel are neither optimised nor made callable on their own, as the whole
    is optimised once at the end; and the type of a recursive call is read from the annotation of
    the function rather than found by compiling it again.
    """

    def recursive_type(self: Any) -> Any:
        told = _told_type(self.func_id.func)
        if told is not None:
            trusted.add(self.func_id.func)
        return told or inferred(self)

    def final_type(self: Any, typemap: Any) -> Any:
        found, function = concluded(self, typemap), self.func_id.func
        if function in trusted and types.unliteral(found) != _told_type(function):
            raise errors.TypingError(
                f"{function.__name__} says that it returns {function.__annotations__['return']}, "
                f"but it returns {found}",
                loc=self.func_ir.loc,
            )
        return found

    def index(context: Any, builder: Any, kind: Any, value: Any, size: Any) -> Any:
        if isinstance(value, ir.Constant) and value.constant < 0:
            return from_the_end(context, builder, kind, value, size)
        return context.cast(builder, value, kind, types.intp)

    from_the_end = arrayobj.fix_integer_index
    trusted: set[FunctionType] = set()
    inferred, concluded = TypeInferer.return_types_from_partial, TypeInferer.get_return_type
    with (
        # Only a constant index counts from the end if it is negative: testing the sign of every
        # index costs a search a fifth of its time.
        patch.object(arrayobj, "fix_integer_index", index),
        patch.object(TypeInferer, "return_types_from_partial", recursive_type),
        patch.object(TypeInferer, "get_return_type", final_type),
        patch.object(CPUCodeLibrary, "_optimize_final_module", lambda self: None),
        # Numba wants a built-in function as the key of each compiled one: any distinct one does.
        patch.object(CPUContext, "get_executable", lambda self, *_: [].append),
    ):
        yield


def _argument_type(value: Any, sort: Sort) -> Any:
    match sort[0]:
        case "t":
            return _tag_type(value)
        case "i":
            return types.int64
        case "u":
            return types.uint64
        case "f":
            return types.float64
        case "w":
            return types.UniTuple(types.uint64, len(value))
        case "r":
            return numba.from_dtype(value.dtype)
        case "n":
            parts = [_argument_type(each, of) for each, of in zip(value, sort[3:], strict=True)]
            return types.BaseTuple.from_types(parts, type(value))
        case _:
            return types.Array(numba.from_dtype(value.dtype), value.ndim, "C")


def _result_sort(name: str, result: Any) -> str:
    if isinstance(result, types.Integer):
        return f"{'i' if result.signed else 'u'}{result.bitwidth}"
    if isinstance(result, types.Boolean):
        return "b"
    if isinstance(result, types.Float) and result.bitwidth == 64:
        return "f"
    if isinstance(result, types.UniTuple) and result.dtype == types.uint64:
        return f"w{result.count}"
    if isinstance(result, types.NoneType):
        return "n"
    raise PetteiaError(
        f"the kernel {name} returns {result}, not a number or words (tuple of U(...)): "
        "a constant that meets a word must be written U(3), not 3"
    )


def _tags_in(values: Iterable[Any]) -> list[CompileTime]:
    """The games, evaluations and the like among some values, and after them those they hold."""
    found: list[CompileTime] = []
    waiting = [value for value in values if isinstance(value, CompileTime)]
    while waiting:
        tag = waiting.pop(0)
        if not any(tag is known for known in found):
            found.append(tag)
            waiting += [value for value in vars(tag).values() if isinstance(value, CompileTime)]
    return found


def _typed(function: FunctionType, arguments: tuple[Any, ...]) -> Any:
    """A function compiled for arguments of these types, as a part of kernels to come."""
    dispatcher = _dispatcher(function)
    dispatcher.compile(arguments)
    return dispatcher.overloads[arguments]


def _forms(function: FunctionType) -> list[Any]:
    return list(_dispatcher(function).overloads.values())


def compile(
    function: FunctionType,
    args: Sequence[Any],
    sorts: Sequence[Sort],
    symbol: str,
    target: Target = HOST,
) -> Entry:
    """Compiles a kernel for these arguments; the machine code is found under the symbol.

    For a processor of many threads it must be a loop over pieces (``batch``)."""
    compiled = _lowered_for(function, args, sorts)
    library = compiled.library
    module = _with_mathematics(llvm.parse_bitcode(library._final_module.as_bitcode()))
    entry = compiled.fndesc.llvm_func_name
    calls = set()
    for part in module.functions:
        if part.is_declaration:
            calls.add(part.name)
        elif part.name != entry:
            part.linkage = llvm.Linkage.internal
    if any(name.startswith("_ZN") for name in calls):
        raise PetteiaError(
            f"cannot compile {function.__name__}: functions in it call each other in a circle; "
            "only a function that calls itself is possible"
        )
    # Code of many kernels and of many runs is loaded side by side: only the key's name is open.
    module.get_function(entry).name = symbol
    if target is HOST:
        machine = library.codegen._tm
    else:
        machine = machine_of(target)
        memory = args[3].dtype.itemsize if target.has_pieces else 0
        entry_text = entries.text_of(target, symbol, sorts, memory)
        _retarget(module, machine, target, symbol, entry_text)
    _optimise(machine, module)
    needs_numba = any(name.startswith(("NRT_", "numba_", "Py", "_Py")) for name in calls)
    if needs_numba and target is not HOST:
        raise PetteiaError(
            f"cannot compile {function.__name__} for {target.name}: it calls Numba's runtime"
        )
    return Entry(
        symbol=symbol,
        result=_result_sort(function.__name__, compiled.signature.return_type),
        needs_numba=needs_numba,
        code=machine.emit_assembly(module).encode()
        if target.is_text
        else machine.emit_object(module),
    )


def _lowered_for(function: FunctionType, args: Sequence[Any], sorts: Sequence[Sort]) -> Any:
    """The kernel as LLVM's code for these arguments, which belongs to no processor yet."""
    signature = tuple(_argument_type(arg, sort) for arg, sort in zip(args, sorts, strict=True))
    tags = _tags_in(args)
    own = contract.own_codes(function, tags)
    fault = reasons.prints(own) or reasons.circle(own, tags)
    if fault is not None:
        raise fault
    try:
        with _lean(), global_compiler_lock:
            contract.hold(_typed, _forms, _tag_type, tags)
            compiled = _typed(function, signature)
            too_large = compiled.library.has_dynamic_globals
    except PetteiaError:
        raise
    except Exception as error:
        why = reasons.explain(error, own, tags)
        raise why or PetteiaError(
            f"cannot compile {function.__name__}: {reasons.reason(str(error))}; "
            "kernels use numbers, words, tuples and arrays, and allocate nothing"
        ) from error
    if too_large:
        raise PetteiaError(
            f"cannot compile {function.__name__}: a global table is too large; "
            "pass arrays of more than 1 MB as arguments"
        )
    return compiled


def _retarget(module: Any, machine: Any, target: Target, symbol: str, entry: str) -> None:
    """Turns a module to another processor, with the entry by which a kernel is begun there."""
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    if entry:
        module.get_function(symbol).name = entries.inner(symbol)
        _link(module, entry)
    for part in module.functions:
        if not part.is_declaration:
            is_open = part.name == symbol
            part.linkage = llvm.Linkage.external if is_open else llvm.Linkage.internal
        elif _is_foreign(part.name) and part.name not in target.imports:
            raise PetteiaError(
                f"no kernel for {target.name} can call {_plain(part.name)}, "
                "which is not there; exp, log, tanh and sqrt are"
            )
    for variable in module.global_variables:  # some processors know no common symbols
        if not variable.is_declaration:
            variable.linkage = llvm.Linkage.internal


_OF_LIBRARIES = frozenset({"cos", "exp10", "exp2", "log10", "log2", "pow", "powi", "sin", "tan"})


def _plain(name: str) -> str:
    return name.split(".")[1] if name.startswith("llvm.") else name


def _is_foreign(name: str) -> bool:
    """Whether a function that is called is neither in the module nor an instruction."""
    return not name.startswith("llvm.") or _plain(name) in _OF_LIBRARIES


def _link(module: Any, text: str) -> None:
    added = llvm.parse_assembly(text)
    added.triple, added.data_layout = module.triple, module.data_layout
    module.link_in(added)


_REAL: dict[str, Any] = {
    "llvm.exp.f64": mathematics.exp, "exp": mathematics.exp,
    "llvm.log.f64": mathematics.log, "log": mathematics.log,
    "tanh": mathematics.tanh,
}  # fmt: skip
"""The functions of numbers that every processor is given, by the names of the calls."""


def _with_mathematics(module: Any) -> Any:
    """A module with our own functions, or instructions, where it calls those of a library."""
    with contextlib.suppress(NameError):
        module.get_function("sqrt").name = "llvm.sqrt.f64"
    for name, function in _REAL.items():
        try:
            called = module.get_function(name)
        except NameError:
            continue
        compiled = _lowered_for(function, (0.0,), ("f",))
        ours, inside = f"petteia_{function.__name__}", compiled.fndesc.llvm_func_name
        called.name = ours
        library = llvm.parse_bitcode(compiled.library._final_module.as_bitcode())
        library.triple, library.data_layout = module.triple, module.data_layout
        for part in library.functions:
            if not part.is_declaration and part.name != inside:
                part.linkage = llvm.Linkage.internal
        module.link_in(library)
        _link(
            module,
            f"""
declare i32 @"{inside}"(ptr, ptr, double)
define double @{ours}(double %x) {{
  %result = alloca double
  %problem = alloca ptr
  %status = call i32 @"{inside}"(ptr %result, ptr %problem, double %x)
  %value = load double, ptr %result
  ret double %value
}}""",
        )
    return module


def _optimise(machine: Any, module: Any) -> None:
    """A second pass, now that every function but the entry is known to be called from here only."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
