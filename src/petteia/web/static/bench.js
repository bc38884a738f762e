// @ts-check
// The bench on which a game lies: board, players, moves, analysis, graph. Pages fill it.

import { Board, colours, die, takenBetween } from "./board.js";
import {
	announce,
	button,
	capital,
	gain,
	h,
	isTaken,
	note,
	para,
	percent,
	put,
	s,
	sign,
	table,
	valueText,
} from "./dom.js";

/**
 * @typedef {import("./messages.js").View} View
 * @typedef {import("./messages.js").Action} Action
 * @typedef {import("./messages.js").Analysis} Analysis
 * @typedef {import("./messages.js").Judged} Judged
 * @typedef {import("./messages.js").Ply} Ply
 * @typedef {import("./messages.js").Ranked} Ranked
 * @typedef {import("./messages.js").Thrown} Thrown
 */

/** The keys that walk through the moves, with their buttons. @type {Record<string, string[]>} */
const WALKS = {
	Home: ["«", "to the start"],
	ArrowLeft: ["‹", "one move back"],
	ArrowRight: ["›", "one move forward"],
	End: ["»", "to the end"],
};

/** What a move gave away. @param {Judged} judged */
const lossOf = ({ played, best }) => Math.max(0, best.chance - played.chance);

/** What is known about a search, in small print. @param {Analysis} found @param {boolean} done */
export function searchFacts(found, done) {
	const depth = found.depth ? `depth ${found.depth}, ` : "";
	return found.exact
		? `exact, from the solved table${done ? ` of ${found.agent}` : ""}`
		: `${depth}${(found.seconds ?? 0).toFixed(1)} s${done ? `, ${found.agent}` : " …"}`;
}

/**
 * The three largest that are at least so large.
 * @param {{at: number, size: number, words: string}[]} moments
 * @param {number} least
 */
const largest = (moments, least) =>
	moments
		.filter((each) => each.size >= least)
		.sort((a, b) => b.size - a.size)
		.slice(0, 3);

export class Bench {
	/**
	 * @param {{names: string[], home: number, marks: import("./messages.js").Marks,
	 *   onMove: (action: import("./board.js").Action) => void, onGo: (at: number) => void,
	 *   onCell?: (id: string) => void, why?: () => string}} given
	 */
	constructor(given) {
		this.given = given;
		this.names = given.names;
		/** @type {Ply[]} */
		this.plies = [];
		/** @type {number[]} the number of the turn to which each ply belongs */
		this.turns = [];
		this.at = 0;
		/** @type {View | null} */
		this.view = null;
		this.turn = () => this.board.turn();
		/** The class of a loss of chance, or nothing. @param {number} loss */
		this.classOf = (loss) => given.marks.errors.find((each) => loss >= each.from) ?? null;
		/** @type {Map<number, Judged[]>} the moves of every ply that a review has looked at */
		this.judged = new Map();
		/** @type {Map<number, Thrown>} */
		this.thrown = new Map();
		this.board = new Board(given);
		this.top = h("div.player");
		this.bottom = h("div.player");
		this.dice = h("div.dice", { "aria-live": "polite" });
		this.status = h("p.status");
		this.fill = h("span.bar-fill.p0");
		this.odds = h("span.bar-text");
		this.bar = h("div.bar.p1", { role: "img", hidden: true }, this.fill, this.odds);
		this.list = h("ol.moves", { "aria-label": "moves", tabindex: 0 });
		const walks = h(
			"div.walk",
			Object.entries(WALKS).map(([key, [text, words]]) =>
				button(text, () => this.#walk(key), "", {
					title: words,
					"aria-label": words,
					"aria-keyshortcuts": key,
				}),
			),
		);
		this.report = h("div.report");
		this.extra = h("div.extra");
		this.tools = h("div.tools", { role: "toolbar", "aria-label": "actions" });
		this.buttons = h("div.options");
		this.graph = h("figure.graph", { hidden: true });
		this.aside = h(
			"aside.panel",
			{ "aria-label": "game" },
			this.top,
			this.bar,
			this.list,
			walks,
			this.report,
			this.extra,
			this.bottom,
			this.dice,
			this.status,
			this.buttons,
			this.tools,
		);
		this.element = h(
			"div.bench",
			{ ...colours(given.names) },
			h("section.hero", { "aria-label": "board" }, this.board.element),
			this.aside,
			this.graph,
		);
		new ResizeObserver(() => this.#markMove()).observe(this.list);
		this.list.addEventListener("click", (/** @type {MouseEvent} */ event) => {
			const button = /** @type {HTMLElement} */ (event.target).closest("[data-at]");
			if (button instanceof HTMLElement) given.onGo(Number(button.dataset.at));
		});
	}

	/**
	 * Draws a position with the moves that may be made.
	 * @param {View} view
	 * @param {{actions?: Action[], at: number, status?: string}} how
	 */
	show(view, { actions = [], at, status = view.status }) {
		const forward = this.view && at === this.at + 1;
		const taken = forward ? takenBetween(this.view, view) : [];
		const isNew = this.view?.text !== view.text;
		this.board.show(view, { actions, moved: forward && isNew ? view.last : [], taken });
		const rolled = view.dice.join() !== this.view?.dice.join();
		put(
			this.dice,
			view.dice.map((value) => die(view, value)),
		);
		this.dice.hidden = !view.dice.length;
		if (rolled && isNew) this.dice.classList.add("rolled");
		setTimeout(() => this.dice.classList.remove("rolled"), 320);
		this.view = view;
		this.status.textContent = capital(status);
		this.at = at;
		const plain = actions.filter((action) => !action.path.length);
		put(
			this.buttons,
			plain.map((action) => button(action.move, () => this.given.onMove(action), "option")),
		);
		this.#markMove();
	}

	/**
	 * The players, from the bottom of the board up.
	 * @param {string[]} words what stands beside each name
	 * @param {number | null} mover
	 * @param {string[]} [specs] who they are in full
	 */
	players(words, mover, specs = []) {
		this.turn = () => {
			this.board.turn();
			this.players(words, mover, specs);
		};
		const low = this.board.flip ? 1 - this.given.home : this.given.home;
		for (const [box, side] of /** @type {[HTMLElement, number][]} */ ([
			[this.bottom, low],
			[this.top, 1 - low],
		])) {
			put(
				box,
				sign(side),
				h("span.name", capital(this.names[side])),
				h(
					words[side].endsWith("…") ? "span.who.wait" : "span.who",
					{ title: specs[side] },
					words[side],
				),
			);
			box.classList.toggle("to-move", mover === side);
		}
	}

	/** The list of moves; dice stand before the move that they allow. @param {Ply[]} plies */
	moves(plies) {
		this.plies = plies;
		const diced = plies.some((ply) => ply.kind === "chance");
		this.list.classList.toggle("diced", diced);
		const most = diced ? 1 : 2;
		const items = [h("li.start", h("button", { "data-at": 0, class: "ply" }, "start"))];
		let row = null,
			turn = 0;
		for (const [i, ply] of plies.entries()) {
			const text = ply.texts.join(" | ");
			const losses = (this.judged.get(i) ?? []).map(lossOf);
			const error = this.classOf(Math.max(0, ...losses));
			const luck = this.thrown.get(i)?.luck ?? 0;
			const item = h(
				"button",
				{
					"data-at": i + 1,
					class: `ply ${ply.kind} ${error?.name ?? ""}`,
					title: error
						? `${error.name}: lost ${losses.map((loss) => percent(loss)).join(" and ")}`
						: null,
				},
				ply.player === null ? null : sign(ply.player),
				ply.kind === "chance" ? `⚄ ${text}` : text,
				error && h("span.mark", error.sign),
				Math.abs(luck) >= this.given.marks.luck && h("span.luck", ` ${gain(luck)}`),
			);
			if (!row || ply.kind === "both" || row.turns >= most) {
				turn += 1;
				row = { item: h("li", h("span.number", `${turn}.`)), turns: 0 };
				items.push(row.item);
			}
			row.item.append(item);
			this.turns[i] = turn;
			if (ply.kind === "move") row.turns += 1;
			if (ply.kind === "both") row.turns = 2;
		}
		put(this.list, items);
		this.#markMove();
	}

	#markMove() {
		for (const each of this.list.querySelectorAll(".ply")) {
			const here = Number(/** @type {HTMLElement} */ (each).dataset.at) === this.at;
			each.classList.toggle("here", here);
			each.ariaCurrent = here ? "true" : null;
			if (here) {
				const item = /** @type {HTMLElement} */ (each.parentElement),
					box = this.list,
					top = item.offsetTop;
				if (top < box.scrollTop || top + item.offsetHeight > box.scrollTop + box.clientHeight)
					box.scrollTop = top - box.clientHeight / 2;
			}
		}
	}

	/**
	 * The chance to win of the first player; null hides the bar.
	 * @param {number | null | undefined} chance
	 * @param {boolean} [exact]
	 */
	chance(chance, exact = false) {
		this.bar.hidden = typeof chance !== "number";
		if (typeof chance !== "number") return;
		const share = Math.round(100 * chance);
		this.fill.style.width = `${share}%`;
		const words = share >= 50 ? `${this.names[0]} ${share} %` : `${this.names[1]} ${100 - share} %`;
		this.odds.textContent = words;
		this.bar.setAttribute(
			"aria-label",
			`chance to win, ${exact ? "exact" : "an estimate"}: ${words}`,
		);
		this.bar.title = exact
			? "Chance to win, exact"
			: "Chance to win, an estimate: a curve fitted to quick games. Forced ends are certain.";
	}

	/**
	 * The best moves as arrows and as a list.
	 * @param {Ranked[]} ranked
	 * @param {{count?: number, onPick?: (move: Ranked) => void, facts?: string}} [how]
	 */
	ranking(ranked, { count = 3, onPick, facts = "" } = {}) {
		const shown = ranked.slice(0, count);
		const rows = shown.map((each, i) =>
			h(
				"li",
				{},
				h(
					"button",
					{
						class: "ranked",
						onclick: () => onPick?.(each),
						onpointerenter: () => this.arrows([each]),
						onpointerleave: () => this.arrows(shown),
					},
					h("span", { class: `rank r${i}` }, i + 1),
					h("b", each.move),
					h("span.value", valueText(each.value, each.end, each.draw)),
					h("span.odds", percent(each.chance)),
					h("span.line", each.line.slice(1, 7).join(" ")),
				),
			),
		);
		this.arrows(shown);
		return h(
			"div.analysis",
			h("ol.ranking", { "aria-label": "best moves" }, rows),
			facts ? note(facts) : null,
		);
	}

	/** Arrows of the best moves. @param {Ranked[]} ranked */
	arrows(ranked) {
		const arrows = ranked.slice(0, 3).flatMap((each, i) => {
			const action = this.view?.actions.find((one) => one.move === each.move);
			// A move of several pieces has an arrow for each.
			return (action?.parts?.length ? action.parts : [action?.path ?? []]).map((path) => ({
				path,
				kind: i ? "other" : "best",
			}));
		});
		this.board.layer({ arrows: arrows.reverse() });
	}

	/**
	 * The chance of the first player over the game, with errors as dots.
	 * @param {Map<number, Judged[]>} judged
	 * @param {Map<number, Thrown>} thrown
	 * @param {boolean} exact
	 */
	draw(judged, thrown, exact) {
		this.judged = judged;
		this.thrown = thrown;
		this.moves(this.plies);
		this.graph.hidden = !judged.size;
		if (!judged.size) return;
		const { errors } = this.given.marks;
		const classes = errors.map((each) => `${each.sign} ${each.name} from ${percent(each.from)}`);
		put(
			this.graph,
			this.#curve(Math.max(300, this.element.clientWidth - 34), 86),
			h(
				"figcaption",
				`Chance of ${this.names[0]} to win, ${exact ? "exact" : "an estimate"}. `,
				`Dots are errors: ${classes.join(", ")}.`,
			),
		);
	}

	/** The curve of what a review has found. @param {number} wide @param {number} high */
	#curve(wide, high) {
		const length = this.plies.length;
		const points = [...this.judged]
			.sort(([a], [b]) => a - b)
			.map(([at, [{ mover, best }]]) => ({
				at,
				x: ((at + 0.5) / Math.max(1, length)) * wide,
				y: high * (mover === 0 ? 1 - best.chance : best.chance),
			}));
		const spots = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
		const [first, last] = [points[0], points[points.length - 1]].map(({ x }) => x.toFixed(1));
		const picture = s(
			"svg",
			{
				viewBox: `0 -8 ${wide} ${high + 16}`,
				role: "group",
				"aria-label": `chance of ${this.names[0]} over the game`,
			},
			s("rect.ground", { width: wide, height: high }),
			s("path.area", { d: `M${spots.join("L")}L${last} ${high}L${first} ${high}Z` }),
			s("line.middle", { x1: 0, x2: wide, y1: high / 2, y2: high / 2 }),
			s("path.trace", { d: `M${spots.join("L")}` }),
			points.flatMap(({ at, x, y }) =>
				(this.judged.get(at) ?? []).map((each) => this.#dot(each, at, x, y)),
			),
		);
		picture.addEventListener("click", (/** @type {MouseEvent} */ event) => {
			const box = picture.getBoundingClientRect();
			const at = Math.floor(((event.clientX - box.x) / box.width) * length);
			if (!(/** @type {Element} */ (event.target).closest(".error")))
				this.given.onGo(Math.max(0, Math.min(length, at)));
		});
		return picture;
	}

	/**
	 * An error as a dot of the curve; nothing where there was none.
	 * @param {Judged} judged
	 * @param {number} at
	 * @param {number} x
	 * @param {number} y
	 */
	#dot(judged, at, x, y) {
		const loss = lossOf(judged),
			error = this.classOf(loss);
		if (!error) return null;
		const { mover, played } = judged;
		const words = `${this.names[mover]}: ${error.name}, ${played.move} lost ${percent(loss)}`;
		return s(
			"g",
			{
				class: `error ${error.name}`,
				tabindex: 0,
				role: "button",
				"aria-label": words,
				onclick: () => this.given.onGo(at),
			},
			s("title", words),
			mover === 0
				? s("circle", { cx: x, cy: y, r: 6 })
				: s("rect", { x: x - 5.5, y: y - 5.5, width: 11, height: 11, rx: 2 }),
		);
	}

	/** What a review found, in words. @param {boolean} exact @param {(at: number) => void} onTry */
	verdict(exact, onTry) {
		const { errors: classes, luck: lucky } = this.given.marks,
			least = classes[classes.length - 1].from;
		const moves = [...this.judged].flatMap(([at, list]) =>
			list
				.filter((each) => each.choices !== 1)
				.map((each) => ({ ...each, at, loss: lossOf(each) })),
		);
		const throws = [...this.thrown].map(([at, each]) => ({ ...each, at }));
		const sides = [0, 1].map((side) => {
			const losses = moves.filter((each) => each.mover === side).map((each) => each.loss);
			const mean = losses.reduce((sum, loss) => sum + loss, 0) / Math.max(1, losses.length);
			const gains = throws.map((each) => (each.player === side ? each.luck : -each.luck));
			return [
				[sign(side), capital(this.names[side])],
				percent(mean, 1),
				...classes.map((each) => losses.filter((loss) => this.classOf(loss) === each).length),
				...(throws.length ? [gain(gains.reduce((sum, each) => sum + each, 0))] : []),
			];
		});
		const signs = classes.map((each) => each.sign);
		const names = ["player", "lost per move", ...signs, ...(throws.length ? ["luck"] : [])];
		const moments = [
			...largest(
				moves.map(({ at, mover, played, best, loss }) => ({
					at,
					size: loss,
					words:
						`${this.names[mover]} lost ${percent(loss)} with ${played.move}. ` +
						`Best was ${best.move}. `,
				})),
				least,
			),
			...largest(
				throws.map(({ at, player, roll, luck }) => ({
					at,
					size: Math.abs(luck),
					words: `${this.names[player]} threw ${roll}: ${gain(luck)}. `,
				})),
				lucky,
			),
		].sort((a, b) => a.at - b.at);
		return h(
			"div.review",
			moments.length
				? this.#moments(moments, onTry)
				: para(`No move lost ${percent(least)} of the chance to win or more.`),
			table(names, sides, null, "Review"),
			note(
				exact ? "Exact: every value is from the solved table." : "Chances are estimates.",
				throws.length ? " Luck is what throws changed, compared with their mean." : "",
			),
		);
	}

	/**
	 * The key moments of a review, one at a time; going on shows the next on the board.
	 * @param {{at: number, words: string}[]} moments
	 * @param {(at: number) => void} onTry
	 */
	#moments(moments, onTry) {
		const box = h("div.moment", { "aria-live": "polite" });
		const show = (/** @type {number} */ number) => {
			const { at, words } = moments[number];
			const step = (
				/** @type {number} */ to,
				/** @type {string} */ text,
				/** @type {string} */ name,
			) =>
				button(
					text,
					() => {
						show(to);
						this.given.onGo(moments[to].at);
					},
					"tool",
					{ "aria-label": `${name} key moment`, disabled: !moments[to] },
				);
			put(
				box,
				h("b", `Key moment ${number + 1} of ${moments.length}`),
				step(number - 1, "‹", "last"),
				step(number + 1, "›", "next"),
				para(
					button(`Move ${this.turns[at]}`, () => this.given.onGo(at), "link"),
					`: ${words}`,
					button("Try again from here", () => onTry(at), "link"),
				),
			);
		};
		show(0);
		return box;
	}

	/** Walks through the moves as a key says. @param {string} key */
	#walk(key) {
		const go =
			{ ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.plies.length }[key] ??
			this.at;
		const at = Math.max(0, Math.min(this.plies.length, go));
		if (at === this.at) return;
		this.given.onGo(at);
		announce(at ? `move ${at}: ${this.plies[at - 1].texts.join(" and ")}` : "start");
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (isTaken(event)) return;
		if (event.key === "f") this.turn();
		if (!(event.key in WALKS)) return;
		event.preventDefault();
		this.#walk(event.key);
	}
}

/**
 * A button of the toolbar.
 * @param {string} text
 * @param {string} title
 * @param {() => void} onclick
 * @param {string} [key] the key that does the same
 */
export const tool = (text, title, onclick, key = "") =>
	button(text, onclick, "tool", {
		title: key ? `${title} (${key})` : title,
		"aria-keyshortcuts": key || null,
	});
