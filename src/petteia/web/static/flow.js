// @ts-check
// Flow: pipes drawn by mouse, finger or keys, hints with reasons, and solvers to watch.

import { address, ask, listen } from "./api.js";
import {
	WAYS,
	announce,
	attempt,
	button,
	capital,
	cellUnder,
	copy,
	dialog,
	follow,
	h,
	para,
	put,
	s,
	said,
	select,
	table,
	toast,
} from "./dom.js";

const CELL = 60;

/**
 * @typedef {import("./messages.js").FlowCell} Cell
 * @typedef {import("./messages.js").FlowColour} Colour
 * @typedef {import("./messages.js").FlowPuzzle} Puzzle
 */

export async function flowPage(main, given) {
	const choices = await ask("/api/flow");
	let rule = given.get("rule") || "strict";
	let side = Number(given.get("side") || 7),
		difficulty = given.get("difficulty") || "";
	/** @type {Puzzle} */
	let puzzle;
	/** @type {Map<string, Cell>} */
	let cells = new Map();
	/** @type {Map<string, string[]>} the path of every colour, from the dot at which it began */
	let paths = new Map();
	/** @type {string[]} */
	let before = [];
	/** the colour that is being drawn */
	let pen = "",
		focus = "",
		solved = false,
		moves = 0;
	/** @type {{kind: string, link: string[] | null, cells: string[]} | null} */
	let hint = null;
	/** @type {any} what a watched solver shows */
	let shown = null;
	/** @type {(() => void) | null} */
	let search = null;
	let timer = 0;

	const board = s("svg.board.flow-board", { role: "group", "aria-label": "Flow board" });
	const status = h("p.status", { "aria-live": "polite" });
	const extra = h("div.extra");
	const tools = h("div.tools", { role: "toolbar", "aria-label": "actions" });
	const setup = h("form.flow-setup");
	const watch = h("details.watch");
	put(
		main,
		h("h1.unseen", "Flow"),
		h(
			"div.bench",
			h("section.hero", { "aria-label": "puzzle" }, h("div.board-box.flow-box", board)),
			h("aside.panel", { "aria-label": "puzzle" }, status, extra, tools, setup, watch),
		),
	);

	// --- puzzles ---

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
		history.replaceState(
			null,
			"",
			address("flow", { puzzle: puzzle.text, rule, side, difficulty }),
		);
		tell(
			`${found.width} by ${found.height}, ${found.colours.length} colours${found.difficulty ? `, ${found.difficulty}` : ""}: join equal letters, fill every cell`,
		);
	}

	async function fresh() {
		put(status, h("span.wait", "Making a puzzle …"));
		try {
			const seed = Math.floor(Math.random() * 1e9);
			take(
				await ask("/api/flow/new", {
					width: side,
					height: side,
					difficulty: difficulty || null,
					seed,
					rule,
				}),
			);
		} catch (error) {
			tell(said(error));
		}
	}

	async function open(text) {
		await attempt(async () => {
			take(await ask("/api/flow/read", { text }));
		});
	}

	function tell(words) {
		status.textContent = capital(words);
	}

	// --- drawing by hand ---

	const drawing = () => [...paths.values()].filter((path) => path.length > 1);
	const colourAt = (id) =>
		cells.get(id)?.dot ?? [...paths].find(([, path]) => path.includes(id))?.[0] ?? "";
	const colour = (letter) =>
		/** @type {Colour} */ (puzzle.colours.find((each) => each.letter === letter));

	function areNeighbours(a, b) {
		const [p, q] = [cells.get(a), cells.get(b)];
		if (!p || !q || Math.abs(p.x - q.x) + Math.abs(p.y - q.y) !== 1) return false;
		return !puzzle.walls.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
	}

	/**
	 * Lifts the pen on a cell: a dot begins its path anew, a path goes on from there.
	 * @param {string} id
	 */
	function start(id) {
		if (solved || shown) return;
		const letter = colourAt(id);
		if (!letter) return;
		before.push(JSON.stringify([...paths]));
		pen = letter;
		const path = paths.get(letter) ?? [];
		paths.set(letter, cells.get(id)?.dot ? [id] : path.slice(0, path.indexOf(id) + 1));
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
		for (const [letter, other] of paths)
			if (letter !== pen && other.includes(id))
				paths.set(letter, other.slice(0, other.indexOf(id)));
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
		else
			tell(
				`${whole ? `${letter} is joined; ` : ""}${judged.covered} of ${puzzle.cells.length} cells`,
			);
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
			put(extra, h("p.hint", found.text));
			announce(found.text);
			draw();
		});
	}

	// --- the picture ---

	const middle = (id) => {
		const cell = /** @type {Cell} */ (cells.get(id));
		return [cell.x * CELL + CELL / 2, cell.y * CELL + CELL / 2];
	};

	/**
	 * A line between the middles of two cells.
	 * @param {string[]} pair
	 * @param {Record<string, any>} more
	 */
	const between = ([a, b], more) => {
		const [[x1, y1], [x2, y2]] = [middle(a), middle(b)];
		return s("line", { x1, y1, x2, y2, ...more });
	};

	function draw() {
		if (!puzzle) return;
		const [wide, high] = [puzzle.width * CELL + 16, puzzle.height * CELL + 16];
		board.setAttribute("viewBox", `-8 -8 ${wide} ${high}`);
		/** @type {HTMLElement} */ (board.parentElement).style.setProperty(
			"--ratio",
			String(wide / high),
		);
		const tint = new Map();
		/** @type {[string, string[]][]} */
		const lines = shown ? [] : [...paths];
		for (const [letter, path] of lines) for (const id of path) tint.set(id, letter);
		if (shown) for (const [id, letter] of shown.colours) if (letter) tint.set(id, letter);
		const had = board.contains(document.activeElement);
		const grounds = puzzle.cells.map((cell) => {
			const letter = cell.dot ?? tint.get(cell.id);
			/** @param {number} inset @param {Record<string, any>} more */
			const box = (inset, more) =>
				s("rect", {
					x: cell.x * CELL + inset,
					y: cell.y * CELL + inset,
					width: CELL - 2 * inset,
					height: CELL - 2 * inset,
					rx: 7,
					...more,
				});
			const marked = hint?.cells.includes(cell.id) || hint?.link?.includes(cell.id);
			const words = `${cell.id}, ${cell.dot ? `dot ${cell.dot}` : letter ? `path ${letter}` : "empty"}`;
			return s(
				"g",
				{
					class: `cell flow-cell${marked ? " hinted" : ""}`,
					"data-cell": cell.id,
					role: "button",
					tabindex: cell.id === focus ? 0 : -1,
					"aria-label": words,
				},
				box(1, { class: "face" }),
				letter ? box(1, { fill: colour(letter).paint, opacity: 0.22 }) : null,
				box(3, { class: "ring" }),
			);
		});
		const pipes = lines
			.filter(([, path]) => path.length > 1)
			.map(([letter, path]) =>
				s("polyline.pipe", {
					stroke: colour(letter)?.paint ?? "gray",
					points: path.map((id) => middle(id).join(",")).join(" "),
				}),
			);
		const links = (shown?.links ?? []).map((pair) =>
			between(pair, {
				class: "pipe",
				stroke: colour(tint.get(pair[0]) ?? cells.get(pair[0])?.dot ?? "")?.paint ?? "var(--quiet)",
			}),
		);
		const walls = puzzle.walls.map(([a, b]) => {
			const [[ax, ay], [bx, by]] = [middle(a), middle(b)];
			const [x, y, dx, dy] = [
				(ax + bx) / 2,
				(ay + by) / 2,
				ay === by ? 0 : CELL / 2,
				ay === by ? CELL / 2 : 0,
			];
			return s("line.wall", { x1: x - dx, x2: x + dx, y1: y - dy, y2: y + dy });
		});
		/**
		 * @param {string} id
		 * @param {any} text
		 * @param {number} size
		 * @param {Record<string, any>} more
		 */
		const word = (id, text, size, more) =>
			s(
				"text",
				{ x: middle(id)[0], y: middle(id)[1] + size / 3, "font-size": size, ...more },
				text,
			);
		const dots = puzzle.cells
			.filter((cell) => cell.dot)
			.map((cell) => {
				const [cx, cy] = middle(cell.id),
					here = colour(/** @type {string} */ (cell.dot));
				return s(
					"g.dot-of",
					s("circle", { cx, cy, r: 21, fill: here.paint }),
					word(cell.id, cell.dot, 21, { fill: here.ink }),
				);
			});
		const letters = shown
			? puzzle.cells
					.filter((cell) => !cell.dot)
					.map((cell) => {
						const left = shown.domains.get(cell.id) ?? [];
						if (tint.get(cell.id)) return word(cell.id, tint.get(cell.id), 17, { class: "domain" });
						return left.length > 6
							? word(cell.id, left.length, 15, { class: "domain" })
							: word(cell.id, left.join(""), 12, { class: "domain" });
					})
			: [];
		const now =
			shown?.cell && cells.has(shown.cell)
				? s("circle", {
						class: `now ${shown.event}`,
						cx: middle(shown.cell)[0],
						cy: middle(shown.cell)[1],
						r: 26,
					})
				: null;
		put(
			board,
			grounds,
			s(
				"g",
				{ "aria-hidden": "true", class: "over" },
				pipes,
				links,
				hint?.link ? between(hint.link, { class: "hint-link" }) : null,
				walls,
				dots,
				letters,
				now,
			),
		);
		board.classList.toggle("solved", solved);
		if (had)
			/** @type {SVGElement | null} */ (board.querySelector('[tabindex="0"]'))?.focus({
				preventScroll: true,
			});
	}

	// --- mouse, finger, keys ---

	/**
	 * Goes to a cell, also one that a fast pointer reached by a jump in a line.
	 * @param {string} id
	 */
	function towards(id) {
		const path = paths.get(pen);
		const to = cells.get(id);
		if (!path || !to) return;
		for (let i = 0; i < 60; i++) {
			const at = /** @type {Cell} */ (
				cells.get(/** @type {string[]} */ (paths.get(pen)).at(-1) ?? "")
			);
			if (at.id === id) return;
			const dx = Math.sign(to.x - at.x),
				dy = Math.sign(to.y - at.y);
			const step =
				Math.abs(to.x - at.x) >= Math.abs(to.y - at.y) ? [at.x + dx, at.y] : [at.x, at.y + dy];
			const next = puzzle.cells.find((cell) => cell.x === step[0] && cell.y === step[1]);
			if (!next || !extend(next.id)) return;
		}
	}

	board.addEventListener("pointerdown", (event) => {
		const id = cellUnder(event);
		if (!id || event.button) return;
		event.preventDefault();
		start(id);
		if (!pen) return;
		follow((now) => towards(cellUnder(now)), drop);
	});

	board.addEventListener("keydown", (event) => {
		const way = WAYS[event.key];
		if (way) {
			event.preventDefault();
			const here = /** @type {Cell} */ (cells.get(focus));
			const next = puzzle.cells.find(
				(cell) => cell.x === here.x + way[0] && cell.y === here.y + way[1],
			);
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
		let name = choices.watched.includes("smarter") ? "smarter" : choices.watched[0];
		const engine = select(
			"solver",
			choices.watched.map((each) => [each, `${each}: ${choices.engines[each]}`]),
			name,
			(value) => (name = value),
		);
		const speed = h("input", { type: "range", min: 0, max: 10, value: 5, "aria-label": "speed" });
		const text = h("p.watch-text.facts");
		/** @type {any[]} */
		let events = [];
		let at = 0,
			paused = false,
			ended = false,
			back = 0;
		const apply = (event) => {
			for (const [id, letter] of Object.entries(event.colours ?? {})) shown.colours.set(id, letter);
			for (const [id, left] of Object.entries(event.domains ?? {})) shown.domains.set(id, left);
			if (event.links) shown.links = event.links;
			[shown.cell, shown.event] = [event.cell, event.event];
			if (event.event === "backtrack") back += 1;
			const counts = Object.entries(event.counts ?? {})
				.slice(0, 4)
				.map(([key, value]) => `${key} ${value}`)
				.join(", ");
			text.textContent = `Step ${event.step}: ${event.event}${event.cell ? ` ${event.cell}` : ""}${event.value ? ` = ${event.value}` : ""}${event.why ? ` (${event.why})` : ""}. Backtracks ${back}. ${counts}`;
		};
		const tick = () => {
			clearTimeout(timer);
			if (paused || !shown) return;
			const pace = Number(speed.value);
			const many = pace < 7 ? 1 : 4 ** (pace - 6);
			for (let i = 0; i < many && at < events.length; i++) apply(events[at++]);
			draw();
			if (at < events.length || !ended)
				timer = window.setTimeout(tick, pace < 7 ? 700 / 2 ** pace : 16);
		};
		const begin = () => {
			if (!puzzle) return;
			endWatch();
			[events, at, paused, ended, hint, back] = [[], 0, false, false, null, 0];
			shown = { colours: new Map(), domains: new Map(), links: null };
			search = listen(
				{ do: "flow", text: puzzle.text, engine: name, rule },
				{
					part: (part) => events.push(...part.events),
					done: () => {
						ended = true;
						search = null;
					},
					error: (problem) => {
						ended = true;
						search = null;
						endWatch();
						draw();
						toast(problem);
					},
				},
			);
			tick();
		};
		const step = () => {
			paused = true;
			if (shown && at < events.length) apply(events[at++]);
			draw();
		};
		put(
			watch,
			h("summary", "Watch a solver"),
			engine,
			h("label.slider", h("span", "speed"), speed, h("span")),
			h(
				"p.tools",
				button("Watch", begin),
				button("Pause", () => {
					paused = !paused;
					tick();
				}),
				button("Step", step),
				button("Back to my drawing", () => {
					endWatch();
					draw();
				}),
			),
			text,
		);
	}

	async function solve() {
		await attempt(async () => {
			const answer = await ask("/api/flow/solve", { text: puzzle.text, rule });
			endWatch();
			before.push(JSON.stringify([...paths]));
			paths = new Map(
				answer.paths.map((path) => [/** @type {Cell} */ (cells.get(path[0])).dot ?? "", path]),
			);
			tell(
				`${answer.engine}: ${answer.status}${answer.unique === false ? ", not the only one" : ""}, ${answer.milliseconds.toFixed(1)} ms`,
			);
			draw();
		});
	}

	// --- the panel ---

	function clear() {
		endWatch();
		before.push(JSON.stringify([...paths]));
		[paths, solved, hint] = [new Map(), false, null];
		put(extra);
		draw();
	}

	const share = () =>
		attempt(async () => {
			const { texts } = await ask("/api/flow/texts", { text: puzzle.text });
			const forms = Object.entries({
				link: location.href.split("#")[0] + address("flow", { puzzle: puzzle.text, rule }),
				...texts,
			});
			dialog(
				"Share the puzzle",
				table(
					[],
					forms.map(([name, text]) => [
						name === "numlin" ? "numlin (puzz.link)" : name,
						button("Copy", () => copy(text, name), "", { "aria-label": `copy as ${name}` }),
					]),
					"forms",
				),
			);
		});

	function paste() {
		const text = h("textarea", { rows: 8, "aria-label": "puzzle", placeholder: "A__\n_A_\n___" });
		const box = dialog(
			"A puzzle in any format",
			text,
			para(
				button(
					"Open",
					() => {
						box.close();
						open(text.value);
					},
					"primary",
				),
			),
		);
	}

	const size = h("output", `${side}×${side}`);
	put(
		tools,
		Object.entries({
			Hint: giveHint,
			Undo: undo,
			Clear: clear,
			Solve: solve,
			Share: share,
			Paste: paste,
		}).map(([name, deed]) => button(name, () => (puzzle || deed === paste) && deed(), "tool")),
	);
	put(
		setup,
		h("h2", "New puzzle"),
		h(
			"label.slider",
			h("span", "size"),
			h("input", {
				type: "range",
				min: 4,
				max: 15,
				value: side,
				"aria-label": "size",
				oninput: (event) => {
					side = Number(event.target.value);
					size.textContent = `${side}×${side}`;
				},
			}),
			size,
		),
		h(
			"p.flow-row",
			select(
				"difficulty",
				[["", "any difficulty"], ["easy"], ["medium"], ["hard"], ["expert"]],
				difficulty,
				(value) => (difficulty = value),
			),
			select(
				"rule",
				Object.entries(choices.rules).map(([name, words]) => [name, `${name}: ${words}`]),
				rule,
				(value) => (rule = value),
			),
		),
		h(
			"p.flow-row",
			h("button.primary", "New puzzle"),
			select(
				"boards of the course",
				[["", "or a known board"], ...choices.boards.map((name) => [name])],
				"",
				(value) => value && open(value),
			),
		),
	);
	setup.addEventListener("submit", (event) => {
		event.preventDefault();
		fresh();
	});
	watchPart();
	if (given.get("puzzle")) await open(given.get("puzzle") ?? "");
	else await fresh();
	return endWatch;
}
