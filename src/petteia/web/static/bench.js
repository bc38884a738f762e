// @ts-check
// The bench on which a game lies: board, players, moves, analysis, graph. Pages fill it.

import { Board } from "./board.js";
import { colours, die, takenBetween } from "./figures.js";
import { lossOf } from "./review.js";
import { sound } from "./wishes.js";
import {
	add,
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
 * @import { Held } from "./dom.js"
 * @import { Action, Analysis, Judged, Marks, Ply, Ranked, Thrown, View } from "./messages.js"
 */

/** The keys that walk through the moves, with their buttons. @type {Record<string, string[]>} */
const WALKS = {
	Home: ["«", "to the start"],
	ArrowLeft: ["‹", "one move back"],
	ArrowRight: ["›", "one move forward"],
	End: ["»", "to the end"],
};

/** What is known about a search, in small print. @param {Analysis} found @param {boolean} done */
export function searchFacts(found, done) {
	const depth = found.depth ? `depth ${found.depth}, ` : "";
	const pace = (found.nodes ?? 0) / 1e6 / Math.max(found.seconds ?? 0, 1e-3);
	const speed = found.nodes && found.seconds ? `, ${pace.toFixed(1)} million nodes a second` : "";
	return found.exact
		? `exact, from the solved table${done ? ` of ${found.agent}` : ""}`
		: `${depth}${(found.seconds ?? 0).toFixed(1)} s${speed}${done ? `, ${found.agent}` : " …"}`;
}

export class Bench {
	/**
	 * @param {{names: string[], home: number, army: number[] | null, marks: Marks,
	 *   onMove: (action: Action) => void, onGo: (at: number) => any,
	 *   onCell?: (id: string) => void, onPart?: () => void, why?: () => string}} given
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
		this.dice.hidden = !view.dice.length || view.dice_at !== null;
		this.element.classList.toggle("rolled", rolled && isNew);
		setTimeout(() => this.element.classList.remove("rolled"), 320);
		if (forward && isNew)
			sound(view.dice.length && rolled ? "roll" : taken.length ? "capture" : "move");
		this.view = view;
		this.status.textContent = capital(status);
		this.at = at;
		const plain = actions.filter((action) => !action.path.length);
		put(
			this.buttons,
			plain.map((action) =>
				button(capital(action.move), () => this.given.onMove(action), "option"),
			),
		);
		this.#markMove();
	}

	/** The rules beside the board, or no longer. @param {string} game */
	async rules(game) {
		if (this.close("rules")) return;
		const { lesson } = await import("./lessons.js");
		this.beside("rules", await lesson(game));
	}

	/** Shows something in place of the panel. @param {string} name @param {...Held} content */
	beside(name, ...content) {
		this.close();
		const box = h("section", { class: `beside ${name}`, "aria-label": name, tabindex: -1 });
		add(
			box,
			h("h2", capital(name)),
			button("✕", () => box.remove(), "plain close", { "aria-label": `Close the ${name}` }),
			...content,
		);
		this.element.append(box);
		box.focus({ preventScroll: true }); // on a phone the board stays in sight
	}

	/** Closes what stands in place of the panel; whether it was that. @param {string} [name] */
	close(name = "beside") {
		const box = this.element.querySelector(`.beside.${name}`);
		box?.remove();
		return box !== null;
	}

	/**
	 * The players, from the bottom of the board up.
	 * @param {string[]} words what stands beside each name
	 * @param {number | null} mover
	 * @param {string[]} [specs] who they are in full
	 * @param {HTMLElement[]} [clocks]
	 */
	players(words, mover, specs = [], clocks = []) {
		this.turn = () => {
			this.board.turn();
			this.players(words, mover, specs, clocks);
		};
		const low = this.board.flip ? 1 - this.given.home : this.given.home;
		for (const [box, side] of /** @type {[HTMLElement, number][]} */ ([
			[this.bottom, low],
			[this.top, 1 - low],
		])) {
			const tally = this.view?.tallies[side];
			put(
				box,
				sign(side),
				h("span.name", capital(this.names[side])),
				tally ? h("span.tally", tally) : null,
				this.#captured(side),
				h("span.who", { title: specs[side] }, words[side]),
				clocks[side],
			);
			box.classList.toggle("to-move", mover === side);
		}
	}

	/** The pieces that a player has captured, where they never come back. @param {number} side */
	#captured(side) {
		const { army } = this.given,
			theirs = 1 - side;
		if (!army || !this.view) return null;
		const left = this.view.pieces.filter(({ owner }) => owner === theirs);
		const count = army[theirs] - left.reduce((sum, piece) => sum + piece.count, 0);
		if (count <= 0) return null;
		return h(
			"span.captured",
			{ role: "img", "aria-label": `${count} captured`, title: `${count} captured` },
			Array.from({ length: count }, () => sign(theirs)),
		);
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
