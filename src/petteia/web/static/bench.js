// @ts-check
// The bench on which a game lies: board, players, moves, analysis, graph. Pages fill it.

import { Board, colours, takenBetween } from "./board.js";
import { announce, capital, h, percent, put, s, sign, valueText } from "./dom.js";
import { die } from "./shapes.js";

/**
 * @typedef {import("./board.js").View} View
 * @typedef {import("./board.js").Action} Action
 * @typedef {{kind: string, texts: string[], player: number | null, word: string}} Ply
 * @typedef {{move: string, value: number | null, end: number | null, chance: number | null, line: string[], visits: number}} Ranked
 * @typedef {{at: number, mover: number, played: Ranked | null, best: Ranked}} Judged
 */

/** How much of the chance to win a move may lose to be called so. */
export const CLASSES = [
	{ name: "blunder", sign: "??", from: 0.2 },
	{ name: "mistake", sign: "?", from: 0.1 },
	{ name: "inaccuracy", sign: "?!", from: 0.05 },
];

/** The class of a loss of chance, or nothing. @param {number} loss */
export function classOf(loss) {
	return CLASSES.find((each) => loss >= each.from) ?? null;
}

export class Bench {
	/** @param {{names: string[], home: number, onMove: (action: Action) => void, onGo: (at: number) => void, onCell?: (id: string) => void}} given */
	constructor(given) {
		this.given = given;
		this.names = given.names;
		/** @type {Ply[]} */
		this.plies = [];
		this.at = 0;
		/** @type {View | null} */
		this.view = null;
		/** @type {Map<number, Judged>} */
		this.judged = new Map();
		this.board = new Board({ names: given.names, onMove: given.onMove, onCell: given.onCell });
		this.top = h("div", { class: "player" });
		this.bottom = h("div", { class: "player" });
		this.dice = h("div", { class: "dice", "aria-live": "polite" });
		this.status = h("p", { class: "status" });
		this.bar = h("div", { class: "bar", role: "img", hidden: true }, h("span", { class: "bar-fill" }), h("span", { class: "bar-text" }));
		this.list = h("ol", { class: "moves", "aria-label": "moves", tabindex: 0 });
		this.extra = h("div", { class: "extra" });
		this.tools = h("div", { class: "tools", role: "toolbar", "aria-label": "actions" });
		this.buttons = h("div", { class: "options" });
		this.graph = h("figure", { class: "graph", hidden: true });
		this.aside = h(
			"aside", { class: "panel", "aria-label": "game" },
			this.top, this.bar, this.list, this.extra, this.bottom, this.dice, this.status, this.buttons, this.tools,
		);
		this.element = h("div", { class: "bench", ...colours(given.names) }, h("section", { class: "hero", "aria-label": "board" }, this.board.element), this.aside, this.graph);
		this.list.addEventListener("click", (event) => {
			const button = /** @type {HTMLElement} */ (event.target).closest("[data-at]");
			if (button instanceof HTMLElement) given.onGo(Number(button.dataset.at));
		});
	}

	/** Draws a position with the moves that may be made. @param {View} view @param {{actions?: Action[], at: number, status?: string}} how */
	show(view, { actions = [], at, status = view.status }) {
		const forward = this.view && at === this.at + 1;
		const taken = forward ? takenBetween(this.view, view) : [];
		const isNew = this.view?.text !== view.text;
		this.board.show(view, { actions, moved: forward && isNew ? view.last : [], taken });
		const rolled = view.dice.join() !== this.view?.dice.join();
		put(this.dice, view.dice.map(die));
		this.dice.hidden = !view.dice.length;
		if (rolled && isNew) this.dice.classList.add("rolled");
		setTimeout(() => this.dice.classList.remove("rolled"), 320);
		this.view = view;
		this.status.textContent = capital(status);
		this.at = at;
		const plain = actions.filter((action) => !action.path.length);
		put(this.buttons, plain.map((action) => h("button", { class: "option", onclick: () => this.given.onMove(action) }, action.move)));
		this.#markMove();
	}

	/** The players, from the bottom of the board up. @param {string[]} words what stands beside each name @param {number | null} mover */
	players(words, mover) {
		const low = this.board.flip ? 1 - this.given.home : this.given.home;
		for (const [box, side] of /** @type {[HTMLElement, number][]} */ ([[this.bottom, low], [this.top, 1 - low]])) {
			put(box, sign(side), h("span", { class: "name" }, capital(this.names[side])), h("span", { class: "who" }, words[side]));
			box.classList.toggle("to-move", mover === side);
		}
	}

	/** The list of moves; dice stand before the move that they allow. @param {Ply[]} plies */
	moves(plies) {
		this.plies = plies;
		const diced = plies.some((ply) => ply.kind === "chance");
		this.list.classList.toggle("diced", diced);
		const most = diced ? 1 : 2;
		const items = [h("li", { class: "start" }, h("button", { "data-at": 0, class: "ply" }, "start"))];
		let row = null, turn = 0;
		for (const [i, ply] of plies.entries()) {
			const text = ply.texts.join(" | ");
			const judged = this.judged.get(i);
			const loss = judged?.played ? (judged.best.chance ?? 0) - (judged.played.chance ?? 0) : 0;
			const error = judged ? classOf(loss) : null;
			const button = h(
				"button", { "data-at": i + 1, class: `ply ${ply.kind} ${error?.name ?? ""}`, title: error ? `${error.name}: lost ${percent(loss)}` : null },
				ply.player === null ? null : sign(ply.player), ply.kind === "chance" ? `⚄ ${text}` : text, error ? h("span", { class: "mark" }, error.sign) : null,
			);
			if (!row || ply.kind === "both" || row.turns >= most) {
				turn += 1;
				row = { item: h("li", {}, h("span", { class: "number" }, `${turn}.`)), turns: 0 };
				items.push(row.item);
			}
			row.item.append(button);
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
			if (here) {
				each.setAttribute("aria-current", "true");
				const item = /** @type {HTMLElement} */ (each.parentElement);
				const box = this.list;
				const top = item.offsetTop - box.offsetTop;
				if (top < box.scrollTop || top + item.offsetHeight > box.scrollTop + box.clientHeight) {
					box.scrollTop = top - box.clientHeight / 2;
				}
			} else each.removeAttribute("aria-current");
		}
	}

	/** The chance to win of the first player; null hides the bar. @param {number | null | undefined} chance */
	chance(chance) {
		this.bar.hidden = chance === null || chance === undefined;
		if (chance === null || chance === undefined) return;
		const share = Math.round(100 * chance);
		/** @type {HTMLElement} */ (this.bar.firstElementChild).style.width = `${share}%`;
		const words = share >= 50 ? `${this.names[0]} ${share} %` : `${this.names[1]} ${100 - share} %`;
		/** @type {HTMLElement} */ (this.bar.lastElementChild).textContent = words;
		this.bar.setAttribute("aria-label", `chance to win, an estimate: ${words}`);
		this.bar.title = "Chance to win, an estimate: a curve fitted to quick games. Forced ends are certain.";
	}

	/** The best moves as arrows and as a list. @param {Ranked[]} ranked @param {{count?: number, onPick?: (move: Ranked) => void, facts?: string}} [how] */
	ranking(ranked, { count = 3, onPick, facts = "" } = {}) {
		const shown = ranked.slice(0, count);
		const rows = shown.map((each, i) => h(
			"li", {},
			h("button", {
				class: "ranked", onclick: () => onPick?.(each),
				onpointerenter: () => this.arrows([each]), onpointerleave: () => this.arrows(shown),
			},
			h("span", { class: `rank r${i}` }, i + 1), h("b", {}, each.move),
			h("span", { class: "value" }, valueText(each.value, each.end)),
			h("span", { class: "odds" }, percent(each.chance)),
			h("span", { class: "line" }, each.line.slice(1, 7).join(" "))),
		));
		this.arrows(shown);
		return h("div", { class: "analysis" }, h("ol", { class: "ranking", "aria-label": "best moves" }, rows), facts ? h("p", { class: "facts" }, facts) : null);
	}

	/** @param {Ranked[]} ranked */
	arrows(ranked) {
		const paths = new Map((this.view?.actions ?? []).map((action) => [action.move, action.path]));
		this.board.layer({
			arrows: ranked.slice(0, 3).map((each, i) => ({ path: paths.get(each.move) ?? [], kind: i ? "other" : "best" })).reverse(),
		});
	}

	/** The chance of the first player over the game, with errors as dots. @param {Map<number, Judged>} judged @param {number} length */
	draw(judged, length) {
		this.judged = judged;
		this.moves(this.plies);
		this.graph.hidden = !judged.size;
		if (!judged.size) return;
		const wide = Math.max(300, this.element.clientWidth - 34), high = 110;
		const points = [...judged.values()].sort((a, b) => a.at - b.at).map((each) => {
			const mine = each.best.chance ?? 0.5;
			return { ...each, x: ((each.at + 0.5) / Math.max(1, length)) * wide, y: high * (1 - (each.mover === 0 ? mine : 1 - mine)) };
		});
		const line = points.map((point, i) => `${i ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("");
		const area = `${line}L${points[points.length - 1].x.toFixed(1)} ${high}L${points[0].x.toFixed(1)} ${high}Z`;
		const dots = points.flatMap((point) => {
			const loss = point.played ? (point.best.chance ?? 0) - (point.played.chance ?? 0) : 0;
			const error = classOf(loss);
			if (!error) return [];
			const words = `${this.names[point.mover]}: ${error.name}, ${point.played?.move} lost ${percent(loss)}`;
			const shape = point.mover === 0
				? s("circle", { cx: point.x, cy: point.y, r: 6 })
				: s("rect", { x: point.x - 5.5, y: point.y - 5.5, width: 11, height: 11, rx: 2 });
			return [s("g", { class: `error ${error.name}`, tabindex: 0, role: "button", "aria-label": words, onclick: () => this.given.onGo(point.at) }, s("title", {}, words), shape)];
		});
		const picture = s(
			"svg", { viewBox: `0 -8 ${wide} ${high + 16}`, role: "group", "aria-label": `chance of ${this.names[0]} over the game` },
			s("rect", { class: "ground", width: wide, height: high }), s("path", { class: "area", d: area }),
			s("line", { class: "middle", x1: 0, x2: wide, y1: high / 2, y2: high / 2 }), s("path", { class: "trace", d: line }), dots,
		);
		picture.addEventListener("click", (event) => {
			const box = picture.getBoundingClientRect();
			const at = Math.floor(((event.clientX - box.x) / box.width) * length);
			if (!(/** @type {Element} */ (event.target).closest(".error"))) this.given.onGo(Math.max(0, Math.min(length, at)));
		});
		put(this.graph, picture, h("figcaption", {}, `Chance of ${this.names[0]} to win, an estimate. Dots are errors: ${CLASSES.map((each) => `${each.sign} ${each.name} from ${percent(each.from)}`).join(", ")}.`));
	}

	/** What a review found, in words. @param {Map<number, Judged>} judged @param {{onTry: (at: number) => void, luck?: number[]}} how */
	verdict(judged, { onTry, luck }) {
		const sides = [0, 1].map((side) => {
			const mine = [...judged.values()].filter((each) => each.mover === side && each.played);
			const losses = mine.map((each) => Math.max(0, (each.best.chance ?? 0) - (each.played?.chance ?? 0)));
			const mean = losses.reduce((sum, loss) => sum + loss, 0) / Math.max(1, losses.length);
			const counts = CLASSES.map((each) => losses.filter((loss) => classOf(loss) === each).length);
			return h("tr", {}, h("th", { scope: "row" }, sign(side), capital(this.names[side])), h("td", {}, percent(mean, 1)),
				counts.map((count) => h("td", {}, count)), luck ? h("td", {}, `${luck[side] >= 0 ? "+" : "−"}${percent(Math.abs(luck[side]))}`) : null);
		});
		const worst = [...judged.values()]
			.filter((each) => each.played)
			.map((each) => ({ ...each, loss: (each.best.chance ?? 0) - (each.played?.chance ?? 0) }))
			.filter((each) => each.loss >= 0.05).sort((a, b) => b.loss - a.loss).slice(0, 3).sort((a, b) => a.at - b.at);
		const moments = worst.map((each) => h("li", {},
			h("button", { class: "link", onclick: () => this.given.onGo(each.at) }, `Move ${each.at + 1}`),
			`: ${this.names[each.mover]} lost ${percent(each.loss)} with ${each.played?.move}. Best was ${each.best.move}. `,
			h("button", { class: "link", onclick: () => onTry(each.at) }, "Try again from here")));
		return h("div", { class: "review" },
			h("table", {}, h("caption", {}, "Review"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "player"), h("th", { scope: "col" }, "lost a move"),
				CLASSES.map((each) => h("th", { scope: "col", title: each.name }, each.sign)), luck ? h("th", { scope: "col" }, "luck") : null)), h("tbody", {}, sides)),
			moments.length ? h("ul", { class: "moments", "aria-label": "key moments" }, moments) : h("p", {}, "No move lost more than 5 % of the chance to win."));
	}

	/** Keys that walk through the moves. @param {KeyboardEvent} event */
	key(event) {
		const target = /** @type {HTMLElement} */ (event.target);
		if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
		const go = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.plies.length }[event.key];
		if (go !== undefined) {
			event.preventDefault();
			const at = Math.max(0, Math.min(this.plies.length, go));
			if (at !== this.at) {
				this.given.onGo(at);
				announce(at ? `move ${at}: ${this.plies[at - 1].texts.join(" and ")}` : "start");
			}
		} else if (event.key === "f") {
			this.board.turn();
		}
	}
}

/** A button of the toolbar. @param {string} text @param {string} title @param {() => void} onclick @param {string} [key] the key that does the same */
export function tool(text, title, onclick, key = "") {
	return h("button", { class: "tool", title: key ? `${title} (${key})` : title, onclick, "aria-keyshortcuts": key || null }, text);
}
