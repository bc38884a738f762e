// @ts-check
// Flow: pipes drawn by mouse, finger or keys, hints with reasons, and solvers to watch.

import { address, ask, listen } from "/static/api.js";
import {
	WAYS,
	announce,
	attempt,
	beside,
	button,
	capital,
	cellUnder,
	copy,
	dialog,
	follow,
	folded,
	h,
	keep,
	para,
	put,
	recall,
	s,
	said,
	select,
	table,
	toast,
} from "/static/dom.js";
import {
	clock,
	daily,
	nextOne,
	noteResult,
	ofPack,
	packDialog,
	resultOf,
	stars,
	starsFor,
	today,
} from "./packs.js";

const CELL = 60;
/** Puzzles for those who are new to it. */
const EXERCISES = [
	["Join three", "A_A\nB_B\nC_C"],
	["Go around", "A___\nB_BA"],
	["Leave no gap", "A___\nB_B_\nC_C_\nA___"],
];
/** From one row of hexagons to the next. */
const ROW = 52;

/**
 * @import { FlowCell as Cell, FlowColour as Colour, FlowPuzzle as Puzzle } from "./messages.js"
 * @import { Task } from "./packs.js"
 */

/** The page of Flow; gives what ends it. @param {HTMLElement} main @param {URLSearchParams} given */
export async function page(main, given) {
	const choices = await ask("/api/flow");
	let rule = given.get("rule") || "strict";
	let side = Number(given.get("side") || 7),
		difficulty = given.get("difficulty") || "",
		kind = given.get("kind") || "square";
	/** @type {Puzzle} */
	let puzzle;
	/** @type {Map<string, Cell>} */
	let cells = new Map();
	/** @type {Map<string, string[]>} the path of every colour, from the dot at which it began */
	let paths = new Map();
	/** @type {string[]} */
	let before = [];
	/** the colour that is being drawn, and the cell from which the pen has not moved yet */
	let pen = "",
		lifted = "",
		focus = "",
		solved = false,
		moves = 0;
	/** @type {{kind: string, link: string[] | null, cells: string[]} | null} */
	let hint = null;
	/** @type {Map<string, string>} signs of the cells that the words of a hint mean */
	let signs = new Map();
	/** @type {Task | null} the puzzle of a pack or a day that this is */
	let task = null;
	let hints = 0,
		spent = 0,
		since = Date.now(),
		byMachine = false;
	/** @type {any} what a watched solver shows */
	let shown = null;
	/** @type {(() => void) | null} */
	let search = null;
	let timer = 0;

	const board = s("svg.board.flow-board", { role: "group", "aria-label": "Flow board" });
	const refusal = h("div.choice", { role: "alert", hidden: true });
	const status = h("p.status", { "aria-live": "polite" });
	const extra = h("div.extra");
	const tools = h("div.tools", { role: "toolbar", "aria-label": "actions" });
	const setup = h("form.flow-setup");
	const title = h("p.flow-title");
	const watch = h("details.watch");
	put(
		main,
		h("h1.unseen", "Flow"),
		h(
			"div.bench",
			h("section.hero", { "aria-label": "puzzle" }, h("div.board-box.flow-box", board, refusal)),
			h("aside.panel", { "aria-label": "puzzle" }, title, status, extra, tools, setup, watch),
		),
	);

	// --- puzzles ---

	/**
	 * Shows a puzzle, with what was drawn on it before.
	 * @param {Puzzle} found
	 * @param {boolean} [beyond] whether the way back leads to the one before
	 */
	function take(found, beyond = false) {
		endWatch();
		puzzle = found;
		cells = new Map(found.cells.map((cell) => [cell.id, cell]));
		const kept = recall("flow", found.text) ?? [[]];
		const [drawn, strokes = 0, given = 0, seconds = 0, machine = false, done = false] = kept;
		paths = new Map(drawn);
		before = [];
		[pen, lifted, solved, moves, hint] = ["", "", done, strokes, null];
		[hints, spent, since, byMachine] = [given, seconds, Date.now(), machine];
		signs = new Map();
		head();
		focus = found.colours[0].dots[0];
		put(extra);
		draw();
		const [place, number] = task?.key.split("/") ?? [];
		const here = !task
			? address("flow", { puzzle: puzzle.text, rule, side, difficulty, kind })
			: place === "daily"
				? address("flow", { daily: number })
				: address("flow", { pack: place, n: number });
		history[beyond ? "pushState" : "replaceState"](null, "", here);
		if (drawn.length) return judge();
		tell(
			`${found.width} by ${found.height}, ${found.colours.length} colours${found.difficulty ? `, ${found.difficulty}` : ""}: join equal letters, fill every cell`,
		);
	}

	/** What puzzle this is, and what was reached in it. */
	function head() {
		const known = task && resultOf(task.key);
		put(
			title,
			h("b", task?.title ?? "A puzzle of your own"),
			known ? [stars(known.stars), h("span.quiet", clock(known.seconds))] : null,
			h(
				"span.flow-ways",
				button("Packs", packDialog, "tool"),
				h("a.button.tool", { href: address("flow", { daily: today() }) }, "Daily"),
			),
		);
	}

	/** Shows a puzzle of a pack or of a day. @param {Task} wanted */
	async function play(wanted) {
		put(status, h("span.wait", "Making the puzzle …"));
		task = wanted;
		head();
		await attempt(async () => {
			const { side, difficulty, seed } = wanted;
			const found = await ask("/api/flow/new", {
				width: side,
				height: side,
				difficulty: difficulty || null,
				kind: "square",
				seed,
				rule: "strict",
			});
			take(found);
		});
	}

	async function fresh() {
		task = null;
		const unfinished = puzzle && paths.size > 0 && !solved;
		put(status, h("span.wait", "Making a puzzle …"));
		try {
			const seed = Math.floor(Math.random() * 1e9);
			take(
				await ask("/api/flow/new", {
					width: side,
					height: side,
					difficulty: difficulty || null,
					kind,
					seed,
					rule,
				}),
				puzzle !== undefined,
			);
			if (unfinished)
				put(
					extra,
					para(
						"Your drawing is kept. ",
						button("Back to it", () => history.back(), "link"),
					),
				);
		} catch (error) {
			tell(said(error));
		}
	}

	/** Shows the puzzle of a text. @param {string} text */
	async function open(text) {
		const found = await ask("/api/flow/read", { text });
		task = null;
		take(found, puzzle !== undefined);
	}

	function tell(words) {
		status.textContent = capital(words);
		status.classList.toggle("won", solved);
	}

	/** Says beside a cell why nothing can be drawn there. @param {string} id @param {string} why */
	function refuse(id, why) {
		put(refusal, h("span.refusal", why));
		beside(refusal, id);
	}

	/** Seconds with the puzzle until it was solved, those before a reload too; in whole
	 * milliseconds, or sums of the same times would differ in their last digit. */
	const elapsed = () => Math.round(1000 * spent + (solved ? 0 : Date.now() - since)) / 1000;

	/** Notes whether the puzzle is solved; its clock stands while it is. @param {boolean} now */
	function settle(now) {
		[spent, since] = [elapsed(), Date.now()];
		solved = now;
	}

	/** Keeps the drawing, and what stars and time depend on. */
	function store() {
		const touched = paths.size || hints || byMachine;
		const state = [[...paths], moves, hints, elapsed(), byMachine, solved];
		keep("flow", puzzle.text, touched ? state : null);
	}

	/** Notes the drawing, for Undo. */
	const remember = () => before.push(JSON.stringify([[...paths], moves]));

	// --- drawing by hand ---

	/** Cells to cover; a bridge counts twice. */
	const toCover = () => puzzle.cells.length + puzzle.cells.filter((cell) => cell.bridge).length;
	const drawing = () => [...paths.values()].filter((path) => path.length > 1);
	const colourAt = (id) =>
		cells.get(id)?.dot ?? [...paths].find(([, path]) => path.includes(id))?.[0] ?? "";
	const colour = (letter) =>
		/** @type {Colour} */ (puzzle.colours.find((each) => each.letter === letter));

	/** The number of the way from a cell to a neighbour, or -1. @param {string} a @param {string} b */
	function wayTo(a, b) {
		const found = Object.entries(cells.get(a)?.ways ?? {}).find(([, id]) => id === b);
		return found ? Number(found[0]) : -1;
	}

	/**
	 * What a path uses at one of its cells: the cell, or one of the two strands of a bridge.
	 * @param {string[]} path
	 * @param {number} at
	 */
	function used(path, at) {
		if (!cells.get(path[at])?.bridge) return path[at];
		const way = at ? wayTo(path[at - 1], path[at]) : wayTo(path[0], path[1]);
		return `${path[at]}/${way % 2}`;
	}

	/** Whether a path may step on to a cell: to a neighbour, and straight over a bridge. */
	function mayStep(path, id) {
		const end = path[path.length - 1],
			way = wayTo(end, id);
		if (way < 0) return false;
		return !cells.get(end)?.bridge || path.length < 2 || wayTo(path[path.length - 2], end) === way;
	}

	/** Puts the pen on a cell; nothing is cut before it moves. @param {string} id */
	function start(id) {
		refusal.hidden = true;
		if (shown) return refuse(id, "A solver is shown here. Back to my drawing ends it.");
		if (solved) return refuse(id, "It is solved. Undo or Clear to draw again.");
		const letter = colourAt(id);
		if (!letter) return refuse(id, "A path begins at a dot.");
		remember();
		[pen, lifted, hint] = [letter, id, null];
		draw();
	}

	/** The path under the pen: a dot begins it anew, a path goes on from the cell of the pen. */
	function line() {
		const path = paths.get(pen) ?? [];
		if (!lifted) return path;
		return cells.get(lifted)?.dot ? [lifted] : path.slice(0, path.indexOf(lifted) + 1);
	}

	/** The pen goes to a neighbour; what is in its way is cut. @param {string} id */
	function extend(id) {
		if (!pen) return false;
		const path = line(),
			end = path[path.length - 1];
		if (end === id) return true;
		const longer = [...path, id],
			here = used(longer, path.length);
		const back = path.findIndex(
			(each, at) => each === id && (at === path.length - 2 || used(path, at) === here),
		);
		if (back >= 0) {
			paths.set(pen, path.slice(0, back + 1));
			lifted = "";
			draw();
			return true;
		}
		const isWhole = path.length > 1 && cells.get(end)?.dot === pen;
		const dot = cells.get(id)?.dot;
		if (isWhole || !mayStep(path, id) || (dot && dot !== pen)) return false;
		for (const [letter, other] of paths) {
			const cut = other.findIndex((_, at) => used(other, at) === here);
			if (letter !== pen && cut >= 0) paths.set(letter, other.slice(0, cut));
		}
		paths.set(pen, longer);
		lifted = "";
		draw();
		return true;
	}

	async function drop() {
		if (!pen) return;
		const letter = pen;
		pen = "";
		if (lifted) {
			lifted = "";
			before.pop();
			return draw();
		}
		moves += 1;
		const path = paths.get(letter) ?? [];
		if (path.length < 2) paths.delete(letter);
		draw();
		const whole = path.length > 1 && cells.get(path[path.length - 1])?.dot === letter;
		await judge(whole ? `${letter} is joined; ` : "");
	}

	/** Keeps the drawing and tells how it stands. @param {string} [first] what to say before */
	const judge = (first = "") =>
		attempt(async () => {
			store();
			const asked = JSON.stringify([...paths]);
			const judged = await ask("/api/flow/check", { text: puzzle.text, paths: drawing(), rule });
			if (asked !== JSON.stringify([...paths])) return; // drawn on meanwhile
			const isNews = judged.solved && !solved;
			settle(judged.solved);
			if (isNews) {
				store();
				record();
			}
			if (solved) won();
			else put(extra);
			if (solved) tell(`Solved in ${moves} strokes`);
			else tell(judged.faults[0] ?? `${first}${judged.covered} of ${toCover()} cells`);
			draw();
		});

	const starsNow = () => (byMachine ? 0 : starsFor(moves, puzzle.colours.length, hints));

	/** Notes what was reached, once: a reload does not solve a puzzle again. */
	function record() {
		const count = starsNow();
		if (task && count) noteResult(task.key, { stars: count, seconds: elapsed(), strokes: moves });
	}

	/** The end of a puzzle: stars, the time, and the way to the next. */
	function won() {
		const count = starsNow();
		head();
		put(
			extra,
			h(
				"p.flow-won",
				count ? [stars(count), h("span", clock(elapsed()))] : "A solver drew it.",
				task?.next
					? h("a.button.primary", { href: task.next }, "Next puzzle")
					: button("Next puzzle", () => (task ? play(nextOne()) : fresh()), "primary"),
			),
		);
	}

	function undo() {
		const last = before.pop();
		if (!last) return;
		const [drawn, strokes] = JSON.parse(last);
		[paths, moves] = [new Map(drawn), strokes];
		settle(false);
		[pen, lifted, hint] = ["", "", null];
		draw();
		judge();
	}

	async function giveHint() {
		await attempt(async () => {
			const found = await ask("/api/flow/hint", { text: puzzle.text, paths: drawing(), rule });
			hint = found;
			hints += 1;
			store();
			// Cells have names for tests and keys; people look at the board.
			const named = [...new Set(found.text.match(/r\d+c\d+/g) ?? [])];
			signs = new Map(named.map((id, i) => [id, String.fromCodePoint(0x2460 + (i % 20))]));
			put(
				extra,
				h("p.hint", capital(found.text.replace(/r\d+c\d+/g, (id) => signs.get(id) ?? id))),
			);
			announce(found.text);
			draw();
		});
	}

	// --- the picture ---

	const isHex = () => puzzle.grid === "hex";

	const middle = (id) => {
		const cell = /** @type {Cell} */ (cells.get(id));
		if (!isHex()) return [cell.x * CELL + CELL / 2, cell.y * CELL + CELL / 2];
		return [(cell.x + 0.5 + (cell.y % 2) / 2) * CELL, cell.y * ROW + CELL / 2 + 4];
	};

	/**
	 * The lines of a path. One that leaves the board ends at its border, and the next begins at the
	 * opposite one.
	 * @param {string[]} path
	 */
	function linesOf(path) {
		const lines = [[middle(path[0])]];
		for (let at = 1; at < path.length; at++) {
			const [ax, ay] = middle(path[at - 1]),
				[bx, by] = middle(path[at]);
			const last = lines[lines.length - 1];
			if (Math.max(Math.abs(ax - bx), Math.abs(ay - by)) <= CELL) last.push([bx, by]);
			else {
				const [dx, dy] = [(Math.sign(ax - bx) * CELL) / 2, (Math.sign(ay - by) * CELL) / 2];
				last.push([ax + dx, ay + dy]);
				lines.push([
					[bx - dx, by - dy],
					[bx, by],
				]);
			}
		}
		return lines;
	}

	/** A path as lines between the middles of its cells. @param {string[]} path @param {Record<string, any>} more */
	const drawn = (path, more) =>
		linesOf(path).map((line) =>
			s("polyline", { points: line.map((point) => point.join(",")).join(" "), ...more }),
		);

	/** The ground of a cell. @param {Cell} cell @param {number} inset @param {Record<string, any>} more */
	function ground(cell, inset, more) {
		const [x, y] = middle(cell.id),
			reach = CELL / 2 - inset;
		if (!isHex())
			return s("rect", {
				x: x - reach,
				y: y - reach,
				width: 2 * reach,
				height: 2 * reach,
				rx: 7,
				...more,
			});
		const corners = [0, 1, 2, 3, 4, 5].map((k) => [
			x + 1.15 * reach * Math.sin((k * Math.PI) / 3),
			y - 1.15 * reach * Math.cos((k * Math.PI) / 3),
		]);
		return s("polygon", { points: corners.map((point) => point.join(",")).join(" "), ...more });
	}

	/**
	 * A wall: across the line between two cells, at the border if they are neighbours past it.
	 * @param {string[]} pair
	 */
	function wall([a, b]) {
		const lines = linesOf([a, b]);
		const [[ax, ay], [bx, by]] = lines[0];
		const places = lines.length > 1 ? [[bx, by], lines[1][0]] : [[(ax + bx) / 2, (ay + by) / 2]];
		const scale = (isHex() ? CELL / 3.5 : CELL / 2) / Math.hypot(bx - ax, by - ay);
		const [dx, dy] = [(by - ay) * scale, (bx - ax) * scale];
		return places.map(([x, y]) =>
			s("line.wall", { x1: x - dx, x2: x + dx, y1: y + dy, y2: y - dy }),
		);
	}

	/** A bridge: a deck over the path from north to south, and the other path over the deck. */
	function bridge(cell, lines) {
		const [x, y] = middle(cell.id);
		const over = lines.find(([, path]) =>
			path.some((id, at) => id === cell.id && used(path, at).endsWith("/1")),
		);
		return [
			s("rect.deck", { x: x - CELL / 2, y: y - 15, width: CELL, height: 30 }),
			over
				? s("line.pipe", {
						x1: x - CELL / 2,
						x2: x + CELL / 2,
						y1: y,
						y2: y,
						stroke: colour(over[0])?.paint ?? "gray",
					})
				: null,
		];
	}

	function draw() {
		if (!puzzle) return;
		const [wide, high] = isHex()
			? [(puzzle.width + 0.5) * CELL + 16, (puzzle.height - 1) * ROW + CELL + 24]
			: [puzzle.width * CELL + 16, puzzle.height * CELL + 16];
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
			const marked = hint?.cells.includes(cell.id) || hint?.link?.includes(cell.id);
			const words = `${cell.id}, ${cell.bridge ? "bridge, " : ""}${cell.dot ? `dot ${cell.dot}` : letter ? `path ${letter}` : "empty"}`;
			return s(
				"g",
				{
					class: `cell flow-cell${marked ? " hinted" : ""}`,
					"data-cell": cell.id,
					role: "button",
					tabindex: cell.id === focus ? 0 : -1,
					"aria-label": words,
				},
				ground(cell, 1, { class: "face" }),
				letter ? ground(cell, 1, { fill: colour(letter).paint, opacity: 0.22 }) : null,
				ground(cell, 3, { class: "ring" }),
			);
		});
		const pipes = lines
			.filter(([, path]) => path.length > 1)
			.flatMap(([letter, path]) =>
				drawn(path, { class: "pipe", stroke: colour(letter)?.paint ?? "gray" }),
			);
		const bridges = puzzle.cells
			.filter((cell) => cell.bridge)
			.flatMap((cell) => bridge(cell, lines));
		const links = (shown?.links ?? []).flatMap((pair) =>
			drawn(pair, {
				class: "pipe",
				stroke: colour(tint.get(pair[0]) ?? cells.get(pair[0])?.dot ?? "")?.paint ?? "var(--quiet)",
			}),
		);
		const walls = puzzle.walls.flatMap(wall);
		/** @param {string} id @param {any} text @param {number} size @param {Record<string, any>} more */
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
		const marked = hint
			? [...signs]
					.filter(([id]) => cells.has(id))
					.map(([id, sign]) => {
						const [x, y] = middle(id);
						return s("text.hint-sign", { x: x - 17, y: y - 10, "font-size": 19 }, sign);
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
				bridges,
				links,
				hint?.link ? drawn(hint.link, { class: "hint-link" }) : null,
				walls,
				dots,
				letters,
				marked,
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

	/** Goes to a cell, also one that a fast pointer reached by a jump in a line. @param {string} id */
	function towards(id) {
		const to = cells.get(id);
		if (!pen || !to) return;
		const [x, y] = middle(to.id);
		const away = (id) => Math.hypot(middle(id)[0] - x, middle(id)[1] - y);
		for (let i = 0; i < 60; i++) {
			const at = line().at(-1) ?? "";
			if (at === id) return;
			if (wayTo(at, id) >= 0) {
				extend(id);
				return;
			}
			const near = Object.values(/** @type {Cell} */ (cells.get(at)).ways);
			const next = near.sort((a, b) => away(a) - away(b))[0];
			if (!next || away(next) >= away(at) || !extend(next)) return;
		}
	}

	/**
	 * The neighbour of the focused cell that lies in a direction; on hexes up and down lead to the
	 * right from odd rows and to the left from even ones, so that a column is kept.
	 * @param {number[]} direction
	 */
	function neighbourByKey([right, down]) {
		const here = /** @type {Cell} */ (cells.get(focus));
		const ways = !isHex()
			? [down ? (down < 0 ? 0 : 2) : right > 0 ? 1 : 3]
			: !down
				? [right > 0 ? 1 : 4]
				: here.y % 2
					? down < 0
						? [5, 0]
						: [3, 2]
					: down < 0
						? [0, 5]
						: [2, 3];
		const found = ways.map((way) => here.ways[way]).find(Boolean);
		if (found || pen) return found;
		return puzzle.cells.find((cell) => cell.x === here.x + right && cell.y === here.y + down)?.id;
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
			const next = neighbourByKey(way);
			if (!next || (pen && !extend(next))) return;
			focus = next;
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
				.filter(([key]) => key !== "backtracks")
				.slice(0, 3)
				.map(([key, value]) => `${key} ${value}`)
				.join(", ");
			text.textContent = `Step ${event.step}: ${event.event}${event.value ? ` ${event.value}` : ""}${event.why ? ` (${event.why})` : ""}. Backtracks ${back}, ${counts}`;
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
			[events, at, ended, hint, back] = [[], 0, false, null, 0];
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
			halt(false);
		};
		const pause = button("Pause", () => halt(!paused));
		/** Stops the picture, or lets it go on. @param {boolean} now */
		const halt = (now) => {
			paused = now && shown !== null;
			pause.textContent = paused ? "Go on" : "Pause";
			tick();
		};
		const step = () => {
			if (!shown) return begin();
			halt(true);
			if (at < events.length) apply(events[at++]);
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
				pause,
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
			if (!answer.paths.length) {
				const why = answer.status === "unknown" ? "no solution found in time" : "there is none";
				return tell(`${answer.engine}: ${why}`);
			}
			remember();
			byMachine = true;
			store();
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
		remember();
		settle(false);
		[paths, hint] = [new Map(), null];
		draw();
		judge();
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

	/** How it is played, with three puzzles to try. */
	const rules = () =>
		dialog(
			"Rules of Flow",
			h(
				"ol",
				h("li", "Join the two dots of every colour: press a dot and draw."),
				h("li", "Paths never cross, and no path runs beside itself."),
				h("li", "Every cell is covered. What a new path crosses is cut."),
			),
			h(
				"p.card-tools",
				"Try it:",
				EXERCISES.map(([name, text]) =>
					h("a.button", { href: address("flow", { puzzle: text }) }, name),
				),
			),
		);

	function paste() {
		const text = h("textarea", { rows: 8, "aria-label": "puzzle", placeholder: "A__\n_A_\n___" });
		const wrong = h("p.wrong", { role: "alert" });
		const read = async () => {
			try {
				await open(text.value);
				box.close();
			} catch (error) {
				wrong.textContent = said(error); // what was pasted stays, to be mended
			}
		};
		const box = dialog(
			"A puzzle in any format",
			text,
			wrong,
			para(button("Open", read, "primary")),
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
			Rules: rules,
			Share: share,
			Paste: paste,
		}).map(([name, deed]) =>
			button(name, () => (puzzle || deed === paste || deed === rules) && deed(), "tool"),
		),
	);
	const own = folded("A puzzle of your own");
	put(setup, own);
	own.append(
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
				"kind",
				choices.kinds.map((each) => [each, each === "square" ? "plain board" : each]),
				kind,
				(value) => (kind = value),
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
				(value) => value && attempt(() => open(value)),
			),
		),
	);
	setup.addEventListener("submit", (event) => {
		event.preventDefault();
		fresh();
	});
	watchPart();
	head();
	const begins = (text) =>
		open(text).catch((error) => {
			toast(said(error));
			return play(nextOne());
		});
	if (given.get("puzzle")) await begins(given.get("puzzle") ?? "");
	else if (given.get("pack")) await play(ofPack(given.get("pack") ?? "", Number(given.get("n"))));
	else await play(given.get("daily") ? daily(given.get("daily") ?? "") : nextOne());
	if (given.has("rules")) rules();
	const again = () => puzzle && judge();
	document.addEventListener("reconnected", again);
	return () => {
		document.removeEventListener("reconnected", again);
		endWatch();
	};
}
