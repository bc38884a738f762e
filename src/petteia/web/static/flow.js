// @ts-check
// Flow: pipes drawn by mouse, finger or keys, hints with reasons, and solvers to watch.

import { address, ask, listen } from "./api.js";
import { announce, attempt, capital, copy, dialog, h, put, s, said, toast } from "./dom.js";

const CELL = 60;

/**
 * @typedef {{id: string, x: number, y: number, dot: string | null}} Cell
 * @typedef {{letter: string, paint: string, ink: string, dots: string[]}} Colour
 * @typedef {{text: string, width: number, height: number, cells: Cell[], walls: string[][], colours: Colour[], difficulty?: string, seed?: number}} Puzzle
 */

/** @param {HTMLElement} main @param {URLSearchParams} given @returns {Promise<() => void>} */
export async function flowPage(main, given) {
	const choices = await ask("/api/flow");
	let rule = given.get("rule") || "strict";
	let side = Number(given.get("side") || 7), difficulty = given.get("difficulty") || "";
	/** @type {Puzzle} */
	let puzzle;
	/** @type {Map<string, Cell>} */
	let cells = new Map();
	/** @type {Map<string, string[]>} the path of every colour, from the dot at which it began */
	let paths = new Map();
	/** @type {string[]} */
	let before = [];
	/** the colour that is being drawn */
	let pen = "", focus = "", solved = false, moves = 0;
	/** @type {{kind: string, link: string[] | null, cells: string[]} | null} */
	let hint = null;
	/** @type {any} what a watched solver shows */
	let shown = null;
	/** @type {(() => void) | null} */
	let search = null;
	let timer = 0;

	const board = s("svg", { class: "flow-board", role: "group", "aria-label": "Flow board" });
	const status = h("p", { class: "status", "aria-live": "polite" });
	const extra = h("div", { class: "extra" });
	const tools = h("div", { class: "tools", role: "toolbar", "aria-label": "actions" });
	const setup = h("form", { class: "flow-setup" });
	const watch = h("details", { class: "watch" });
	put(main, h("h1", { class: "unseen" }, "Flow"), h("div", { class: "bench" }, h("section", { class: "hero", "aria-label": "puzzle" }, h("div", { class: "board-box flow-box" }, board)),
		h("aside", { class: "panel", "aria-label": "puzzle" }, status, extra, tools, setup, watch)));

	// --- puzzles ---

	/** @param {Puzzle} found */
	function take(found) {
		endWatch();
		puzzle = found;
		cells = new Map(found.cells.map((cell) => [cell.id, cell]));
		paths = new Map();
		before = [];
		[pen, solved, moves, hint] = ["", false, 0, null];
		focus = found.colours[0].dots[0];
		put(extra);
		draw();
		tell(`${found.width} by ${found.height}, ${found.colours.length} colours${found.difficulty ? `, ${found.difficulty}` : ""}: join equal letters, fill every cell`);
	}

	async function fresh() {
		status.textContent = "Making a puzzle …";
		try {
			const seed = Math.floor(Math.random() * 1e9);
			take(await ask("/api/flow/new", { width: side, height: side, difficulty: difficulty || null, seed, rule }));
			history.replaceState(null, "", address("flow", { puzzle: puzzle.text, rule, side, difficulty }));
		} catch (error) {
			tell(said(error));
		}
	}

	/** @param {string} text */
	async function open(text) {
		await attempt(async () => {
			take(await ask("/api/flow/read", { text }));
			history.replaceState(null, "", address("flow", { puzzle: puzzle.text, rule, side, difficulty }));
		});
	}

	/** @param {string} words */
	function tell(words) {
		status.textContent = capital(words);
	}

	// --- drawing by hand ---

	const drawing = () => [...paths.values()].filter((path) => path.length > 1);
	const colourAt = (id) => cells.get(id)?.dot ?? [...paths].find(([, path]) => path.includes(id))?.[0] ?? "";
	const colour = (letter) => /** @type {Colour} */ (puzzle.colours.find((each) => each.letter === letter));

	/** @param {string} a @param {string} b */
	function areNeighbours(a, b) {
		const [p, q] = [cells.get(a), cells.get(b)];
		if (!p || !q || Math.abs(p.x - q.x) + Math.abs(p.y - q.y) !== 1) return false;
		return !puzzle.walls.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
	}

	/** Lifts the pen on a cell: a dot begins its path anew, a path goes on from there. @param {string} id */
	function start(id) {
		if (solved || shown) return;
		const letter = colourAt(id);
		if (!letter) return;
		before.push(JSON.stringify([...paths]));
		pen = letter;
		const path = paths.get(letter) ?? [];
		if (cells.get(id)?.dot && path[0] !== id && path[path.length - 1] !== id) paths.set(letter, [id]);
		else if (cells.get(id)?.dot) paths.set(letter, [id]);
		else paths.set(letter, path.slice(0, path.indexOf(id) + 1));
		hint = null;
		draw();
	}

	/** The pen goes to a neighbour; what is in its way is cut. @param {string} id */
	function extend(id) {
		const path = paths.get(pen);
		if (!pen || !path) return false;
		const end = path[path.length - 1];
		if (end === id) return true;
		const back = path.indexOf(id);
		if (back >= 0) {
			paths.set(pen, path.slice(0, back + 1));
			draw();
			return true;
		}
		const isWhole = path.length > 1 && cells.get(end)?.dot === pen;
		const dot = cells.get(id)?.dot;
		if (isWhole || !areNeighbours(end, id) || (dot && dot !== pen)) return false;
		for (const [letter, other] of paths) if (letter !== pen && other.includes(id)) paths.set(letter, other.slice(0, other.indexOf(id)));
		paths.set(pen, [...path, id]);
		draw();
		return true;
	}

	async function drop() {
		if (!pen) return;
		const letter = pen;
		pen = "";
		moves += 1;
		const path = paths.get(letter) ?? [];
		if (path.length < 2) paths.delete(letter);
		draw();
		const whole = path.length > 1 && cells.get(path[path.length - 1])?.dot === letter;
		const judged = await ask("/api/flow/check", { text: puzzle.text, paths: drawing(), rule });
		solved = judged.solved;
		if (solved) {
			tell(`Solved in ${moves} strokes`);
			announce("Solved");
		} else if (judged.faults.length) tell(judged.faults[0]);
		else tell(`${whole ? `${letter} is joined; ` : ""}${judged.covered} of ${puzzle.cells.length} cells`);
		draw();
	}

	function undo() {
		const last = before.pop();
		if (!last) return;
		paths = new Map(JSON.parse(last));
		[pen, solved, hint] = ["", false, null];
		draw();
	}

	async function giveHint() {
		await attempt(async () => {
			const found = await ask("/api/flow/hint", { text: puzzle.text, paths: drawing(), rule });
			hint = found;
			put(extra, h("p", { class: "hint" }, found.text));
			announce(found.text);
			draw();
		});
	}

	// --- the picture ---

	const middle = (id) => {
		const cell = /** @type {Cell} */ (cells.get(id));
		return [cell.x * CELL + CELL / 2, cell.y * CELL + CELL / 2];
	};

	function draw() {
		if (!puzzle) return;
		board.setAttribute("viewBox", `-8 -8 ${puzzle.width * CELL + 16} ${puzzle.height * CELL + 16}`);
		/** @type {HTMLElement} */ (board.parentElement).style.setProperty("--ratio", String((puzzle.width * CELL + 16) / (puzzle.height * CELL + 16)));
		const tint = new Map();
		const lines = shown ? shown.lines : [...paths].map(([letter, path]) => [letter, path]);
		for (const [letter, path] of lines) for (const id of path) tint.set(id, letter);
		if (shown) for (const [id, letter] of shown.colours) if (letter) tint.set(id, letter);
		const had = board.contains(document.activeElement);
		const grounds = puzzle.cells.map((cell) => {
			const letter = cell.dot ?? tint.get(cell.id);
			const face = s("rect", { class: "face", x: cell.x * CELL + 1, y: cell.y * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 7 });
			const wash = letter ? s("rect", { x: cell.x * CELL + 1, y: cell.y * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 7, fill: colour(letter).paint, opacity: 0.22 }) : null;
			const marked = hint?.cells.includes(cell.id) || hint?.link?.includes(cell.id);
			const words = `${cell.id}, ${cell.dot ? `dot ${cell.dot}` : letter ? `path ${letter}` : "empty"}`;
			return s("g", { class: `flow-cell${marked ? " hinted" : ""}`, "data-cell": cell.id, role: "button", tabindex: cell.id === focus ? 0 : -1, "aria-label": words }, face, wash,
				s("rect", { class: "ring", x: cell.x * CELL + 3, y: cell.y * CELL + 3, width: CELL - 6, height: CELL - 6, rx: 6 }));
		});
		const pipes = lines.filter(([, path]) => path.length > 1).map(([letter, path]) => s("polyline", { class: "pipe", stroke: colour(letter)?.paint ?? "gray", points: path.map((id) => middle(id).join(",")).join(" ") }));
		const links = (shown?.links ?? []).map(([a, b]) => s("line", { class: "pipe", stroke: colour(tint.get(a) ?? cells.get(a)?.dot ?? "")?.paint ?? "var(--quiet)", x1: middle(a)[0], y1: middle(a)[1], x2: middle(b)[0], y2: middle(b)[1] }));
		const walls = puzzle.walls.map(([a, b]) => {
			const [[ax, ay], [bx, by]] = [middle(a), middle(b)];
			const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
			return ay === by ? s("line", { class: "wall", x1: x, x2: x, y1: y - CELL / 2, y2: y + CELL / 2 }) : s("line", { class: "wall", x1: x - CELL / 2, x2: x + CELL / 2, y1: y, y2: y });
		});
		const dots = puzzle.cells.filter((cell) => cell.dot).map((cell) => {
			const [x, y] = middle(cell.id), here = colour(/** @type {string} */ (cell.dot));
			return s("g", { class: "dot-of" }, s("circle", { cx: x, cy: y, r: 21, fill: here.paint }), s("text", { x, y: y + 7, fill: here.ink, "font-size": 21 }, cell.dot));
		});
		const link = hint?.link ? s("line", { class: "hint-link", x1: middle(hint.link[0])[0], y1: middle(hint.link[0])[1], x2: middle(hint.link[1])[0], y2: middle(hint.link[1])[1] }) : null;
		const domains = shown ? [...shown.domains].filter(([id, left]) => !cells.get(id)?.dot && !tint.get(id) && left.length > 1).map(([id, left]) => s("text", { class: "domain", x: middle(id)[0], y: middle(id)[1] + 5, "font-size": left.length > 6 ? 15 : 12 }, left.length > 6 ? left.length : left.join(""))) : [];
		const letters = shown ? puzzle.cells.filter((cell) => !cell.dot && tint.get(cell.id)).map((cell) => s("text", { class: "domain", x: middle(cell.id)[0], y: middle(cell.id)[1] + 6, "font-size": 17 }, tint.get(cell.id))) : [];
		const now = shown?.cell && cells.has(shown.cell) ? s("circle", { class: `now ${shown.event}`, cx: middle(shown.cell)[0], cy: middle(shown.cell)[1], r: 26 }) : null;
		put(board, grounds, s("g", { "aria-hidden": "true", class: "over" }, pipes, links, link, walls, dots, letters, domains, now));
		board.classList.toggle("solved", solved);
		if (had) /** @type {SVGElement | null} */ (board.querySelector('[tabindex="0"]'))?.focus({ preventScroll: true });
	}

	// --- mouse, finger, keys ---

	const under = (event) => {
		const found = document.elementsFromPoint(event.clientX, event.clientY).map((each) => each.closest("[data-cell]")).find(Boolean);
		return found instanceof SVGElement ? found.dataset.cell ?? "" : "";
	};

	/** Goes to a cell, also one that a fast pointer reached by a jump in a line. @param {string} id */
	function towards(id) {
		const path = paths.get(pen);
		const to = cells.get(id);
		if (!path || !to) return;
		for (let i = 0; i < 60; i++) {
			const at = /** @type {Cell} */ (cells.get(/** @type {string[]} */ (paths.get(pen)).at(-1) ?? ""));
			if (at.id === id) return;
			const dx = Math.sign(to.x - at.x), dy = Math.sign(to.y - at.y);
			const step = Math.abs(to.x - at.x) >= Math.abs(to.y - at.y) ? [at.x + dx, at.y] : [at.x, at.y + dy];
			const next = puzzle.cells.find((cell) => cell.x === step[0] && cell.y === step[1]);
			if (!next || !extend(next.id)) return;
		}
	}

	board.addEventListener("pointerdown", (event) => {
		const id = under(event);
		if (!id || event.button) return;
		event.preventDefault();
		start(id);
		if (!pen) return;
		const move = (now) => {
			const to = under(now);
			if (to) towards(to);
		};
		const up = () => {
			removeEventListener("pointermove", move);
			removeEventListener("pointerup", up);
			removeEventListener("pointercancel", up);
			drop();
		};
		addEventListener("pointermove", move);
		addEventListener("pointerup", up);
		addEventListener("pointercancel", up);
	});

	board.addEventListener("keydown", (event) => {
		/** @type {Record<string, [number, number]>} */
		const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
		const way = ways[event.key];
		if (way) {
			event.preventDefault();
			const here = /** @type {Cell} */ (cells.get(focus));
			const next = puzzle.cells.find((cell) => cell.x === here.x + way[0] && cell.y === here.y + way[1]);
			if (!next || (pen && !extend(next.id))) return;
			focus = next.id;
			draw();
		} else if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			if (pen) drop();
			else {
				start(focus);
				if (pen) announce(`drawing ${pen}; arrows go on, Enter ends`);
			}
		} else if (event.key === "Escape" && pen) {
			pen = "";
			undo();
		}
	});

	// --- solvers ---

	function endWatch() {
		search?.();
		search = null;
		clearTimeout(timer);
		shown = null;
		watch.querySelector(".watch-text")?.replaceChildren();
	}

	function watchPart() {
		const engine = h("select", { "aria-label": "solver" }, choices.watched.map((name) => h("option", { value: name, selected: name === "smarter" }, `${name}: ${choices.engines[name]}`)));
		const speed = h("input", { type: "range", min: 0, max: 10, value: 5, "aria-label": "speed" });
		const text = h("p", { class: "watch-text facts" });
		/** @type {any[]} */
		let events = [];
		let at = 0, paused = false, ended = false;
		const apply = (event) => {
			shown ??= { colours: new Map(), domains: new Map(), links: null, lines: [] };
			for (const [id, letter] of Object.entries(event.colours ?? {})) shown.colours.set(id, letter);
			for (const [id, left] of Object.entries(event.domains ?? {})) shown.domains.set(id, left);
			if (event.links) shown.links = event.links;
			[shown.cell, shown.event] = [event.cell, event.event];
			const counts = Object.entries(event.counts ?? {}).slice(0, 4).map(([key, value]) => `${key} ${value}`).join(", ");
			text.textContent = `Step ${event.step}: ${event.event}${event.cell ? ` ${event.cell}` : ""}${event.value ? ` = ${event.value}` : ""}${event.why ? ` (${event.why})` : ""}. ${counts}`;
		};
		const tick = () => {
			clearTimeout(timer);
			if (paused || !shown) return;
			const pace = Number(speed.value);
			const many = pace < 7 ? 1 : 4 ** (pace - 6);
			for (let i = 0; i < many && at < events.length; i++) apply(events[at++]);
			draw();
			if (at < events.length || !ended) timer = window.setTimeout(tick, pace < 7 ? 700 / 2 ** pace : 16);
		};
		const begin = () => {
			endWatch();
			[events, at, paused, ended, hint] = [[], 0, false, false, null];
			shown = { colours: new Map(), domains: new Map(), links: null, lines: [] };
			search = listen({ do: "flow", text: puzzle.text, engine: engine.value, rule }, {
				part: (part) => events.push(...part.events),
				done: () => { ended = true; search = null; },
				error: (problem) => { ended = true; search = null; endWatch(); draw(); toast(problem); },
			});
			tick();
		};
		put(watch, h("summary", {}, "Watch a solver"), engine, h("label", { class: "slider" }, h("span", {}, "speed"), speed, h("span", {})),
			h("p", { class: "tools" }, h("button", { type: "button", onclick: begin }, "Watch"), h("button", { type: "button", onclick: () => { paused = !paused; tick(); } }, "Pause"),
				h("button", { type: "button", onclick: () => { paused = true; if (at < events.length) { apply(events[at++]); draw(); } } }, "Step"), h("button", { type: "button", onclick: () => { endWatch(); draw(); } }, "Back to my drawing")), text);
	}

	async function solve() {
		await attempt(async () => {
			const answer = await ask("/api/flow/solve", { text: puzzle.text, rule });
			endWatch();
			before.push(JSON.stringify([...paths]));
			paths = new Map(answer.paths.map((path) => [/** @type {Cell} */ (cells.get(path[0])).dot ?? "", path]));
			tell(`${answer.engine}: ${answer.status}${answer.unique === false ? ", not the only one" : ""}, ${answer.milliseconds.toFixed(1)} ms`);
			draw();
		});
	}

	// --- the panel ---

	put(tools, [["Hint", giveHint], ["Undo", undo], ["Clear", () => { before.push(JSON.stringify([...paths])); paths = new Map(); solved = false; hint = null; endWatch(); put(extra); draw(); }], ["Solve", solve],
		["Share", () => copy(location.href.split("#")[0] + address("flow", { puzzle: puzzle.text, rule }), "Link")],
		["Paste", () => {
			const text = h("textarea", { rows: 8, "aria-label": "puzzle", placeholder: "A__\n_A_\n___" });
			const box = dialog("A puzzle in any format", text, h("p", {}, h("button", { class: "primary", onclick: () => { box.close(); open(text.value); } }, "Open")));
		}]].map(([name, deed]) => h("button", { class: "tool", onclick: deed }, String(name))));
	put(setup, h("h2", {}, "New puzzle"),
		h("label", { class: "slider" }, h("span", {}, "size"), h("input", { type: "range", min: 4, max: 15, value: side, "aria-label": "size", oninput: (event) => { side = Number(event.target.value); event.target.nextSibling.textContent = `${side}×${side}`; } }), h("output", {}, `${side}×${side}`)),
		h("p", { class: "flow-row" }, h("select", { "aria-label": "difficulty", onchange: (event) => (difficulty = event.target.value) }, ["", "easy", "medium", "hard", "expert"].map((each) => h("option", { value: each, selected: each === difficulty }, each || "any difficulty"))),
			h("select", { "aria-label": "rule", onchange: (event) => (rule = event.target.value) }, Object.entries(choices.rules).map(([name, words]) => h("option", { value: name, selected: name === rule }, `${name}: ${words}`)))),
		h("p", { class: "flow-row" }, h("button", { class: "primary", type: "submit" }, "New puzzle"), h("select", { "aria-label": "boards of the course", onchange: (event) => event.target.value && open(event.target.value) }, h("option", { value: "" }, "or a known board"), choices.boards.map((name) => h("option", {}, name)))));
	setup.addEventListener("submit", (event) => {
		event.preventDefault();
		fresh();
	});
	watchPart();
	if (given.get("puzzle")) await open(given.get("puzzle") ?? "");
	else await fresh();
	return endWatch;
}
