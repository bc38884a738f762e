"""How a kernel is begun on another processor: LLVM text around it.

A kernel that runs there is a loop over pieces (``batch``): its first arguments are the first
piece, the end, the step from one piece to the next, and the memory of one thread. The entry finds
out which thread it is, gives it its memory, and lets it do every n-th piece.
"""

from __future__ import annotations

from collections.abc import Sequence

from petteia.compiled.native import Sort
from petteia.compiled.targets import Target

__all__ = ["inner", "text_of"]


def inner(symbol: str) -> str:
    """The name of the kernel itself where the symbol is its entry's."""
    return f"{symbol}_inner"


def _flat(sort: Sort) -> list[str]:
    """LLVM's types of an argument, flattened as Numba does it."""
    if not isinstance(sort, str):
        return [kind for each in sort[3:] for kind in _flat(each)]
    match sort[0]:
        case "i" | "u":
            return ["i64"]
        case "f":
            return ["double"]
        case "w":
            return ["i64"] * int(sort[1:])
        case "a":
            return ["ptr", "ptr", "i64", "i64", "ptr"] + ["i64"] * (2 * int(sort[1]))
        case _:
            return ["ptr"]


def text_of(target: Target, symbol: str, sorts: Sequence[Sort], memory: int) -> str:
    """The entry of a loop over pieces, each with so many bytes of memory; empty where a kernel is
    called as it is."""
    if not target.has_pieces:
        return ""
    kinds = [kind for sort in sorts[4:] for kind in _flat(sort)]
    given = "".join(f", {kind} %a{place}" for place, kind in enumerate(kinds))
    taken = "".join(f", {kind}" for kind in kinds)
    sreg = "llvm.nvvm.read.ptx.sreg"
    return f"""
declare i32 @{inner(symbol)}(ptr, ptr, i64, i64, i64, ptr{taken})
declare i32 @{sreg}.tid.x()
declare i32 @{sreg}.ntid.x()
declare i32 @{sreg}.ctaid.x()
declare i32 @{sreg}.nctaid.x()
define ptx_kernel void @{symbol}(i64 %first, i64 %last, ptr %fault{given}) {{
  %result = alloca i64
  %problem = alloca ptr
  %memory = alloca [{max(memory, 8)} x i8], align 16
  %thread = call i32 @{sreg}.tid.x()
  %size = call i32 @{sreg}.ntid.x()
  %block = call i32 @{sreg}.ctaid.x()
  %blocks = call i32 @{sreg}.nctaid.x()
  %before = mul i32 %block, %size
  %short = add i32 %before, %thread
  %number = zext i32 %short to i64
  %begin = add i64 %first, %number
  %all = mul i32 %blocks, %size
  %step = zext i32 %all to i64
  %status = call i32 @{inner(symbol)}(
    ptr %result, ptr %problem, i64 %begin, i64 %last, i64 %step, ptr %memory{given})
  %none = icmp eq i32 %status, -2
  %done = icmp eq i32 %status, 0
  %fine = or i1 %none, %done
  br i1 %fine, label %end, label %failed
failed:
  store i64 1, ptr %fault
  br label %end
end:
  ret void
}}"""
