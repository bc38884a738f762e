// @ts-check
// A table: a game being played, followed live.

import { address, ask, game as findGame, listen } from "./api.js";
import { Bench, tool } from "./bench.js";
import { announce, attempt, capital, complain, copy, dialog, download, h, put, toast } from "./dom.js";

/** @param {HTMLElement} main @param {URLSearchParams} given @param {string} id @returns {Promise<() => void>} */
export async function tablePage(main, given, id) {
	const first = await ask(`/api/tables/${id}`);
	const game = await findGame(first.game);
	/** @type {any} */
	let state = first;
	let at = given.has("at") ? Number(given.get("at")) : -1;
	/** @type {Map<number, any>} */
	const pictures = new Map();
	/** @type {(() => void) | null} */
	let search = null;

	const bench = new Bench({ names: first.names, home: game.home, onMove: (action) => move(action.move), onGo: go });
	const mine = first.players[0] !== "person" && first.players[1] === "person" ? 1 : 0;
	bench.board.flip = first.players.includes("person") && game.home !== mine;

	const latest = () => state.plies.length;
	const people = () => [0, 1].filter((side) => state.players[side] === "person");
	const words = () => state.plies.map((ply) => ply.word);

	/** @param {string} text */
	async function move(text) {
		endSearch();
		try {
			if (state.kind === "simultaneous") {
				const player = chooserNow();
				take(await ask(`/api/tables/${id}/choose`, { player, move: text }));
			} else {
				take(await ask(`/api/tables/${id}/play`, { move: text, serial: state.serial }));
			}
		} catch (error) {
			complain(error);
			refresh();
		}
	}

	/** Who chooses now where both do: the first person who has not. */
	function chooserNow() {
		return people().find((side) => !state.chosen.includes(side)) ?? people()[0];
	}

	/** @param {string} what @param {any} [body] */
	async function act(what, body = {}) {
		endSearch();
		await attempt(async () => {
			at = -1;
			take(await ask(`/api/tables/${id}/${what}`, body));
		});
	}

	function take(fresh) {
		if (fresh.serial < state.serial) return;
		const grown = fresh.plies.length > state.plies.length;
		const before = state;
		state = fresh;
		if (JSON.stringify(before.plies) !== JSON.stringify(fresh.plies)) {
			for (const key of [...pictures.keys()]) {
				if (key > 0 && JSON.stringify(before.plies.slice(0, key)) !== JSON.stringify(fresh.plies.slice(0, key))) pictures.delete(key);
			}
			bench.judged = new Map();
			bench.graph.hidden = true;
			bench.moves(fresh.plies);
			const last = fresh.plies.at(-1);
			if (grown && last) announce(`${last.player === null ? "" : state.names[last.player]} ${last.texts.join(" and ")}. ${fresh.status}`);
			if (at === latest()) at = -1;
		}
		pictures.set(latest(), fresh.view);
		refresh();
	}

	async function refresh() {
		const here = at < 0 ? latest() : Math.min(at, latest());
		const live = here === latest();
		let picture = live ? state.view : pictures.get(here);
		if (!picture) {
			picture = await ask(`/api/tables/${id}/at/${here}`);
			pictures.set(here, picture);
		}
		const myTurn = live && !state.over && (state.kind === "simultaneous" ? people().length > state.chosen.filter((side) => people().includes(side)).length : people().includes(picture.mover));
		let actions = [];
		if (myTurn && !state.thinking) actions = state.kind === "simultaneous" ? picture.choices[chooserNow()] : picture.actions;
		let status = live ? state.status : picture.status;
		if (myTurn && state.kind === "simultaneous") status = `${capital(state.names[chooserNow()])}, choose in secret; both moves are shown together`;
		bench.show(picture, { actions, at: here, status });
		bench.players(state.players.map((who, side) => {
			const name = who === "person" ? (people().length === 1 ? "you" : "a person") : who;
			const thinks = state.thinking && live && (state.kind === "simultaneous" ? who !== "person" : picture.mover === side);
			return thinks ? `${name} · thinking …` : name;
		}), live && state.over ? null : picture.mover);
		bench.status.classList.toggle("over", live && state.over);
		if (state.problem) bench.status.textContent = state.problem;
		tools();
		details();
		history.replaceState(null, "", address(`table/${id}`, { at: at < 0 ? undefined : here }));
	}

	/** @param {number} where */
	function go(where) {
		endSearch();
		at = where === latest() ? -1 : where;
		refresh();
	}

	function endSearch() {
		search?.();
		search = null;
		bench.board.layer({});
		put(bench.extra);
		bench.chance(null);
	}

	function hint() {
		if (search) return endSearch();
		const here = at < 0 ? latest() : at;
		const seen = (found, done) => {
			const best = found.moves[0];
			const mover = bench.view?.mover ?? 0;
			if (best?.chance !== null && best) bench.chance(mover === 0 ? best.chance : 1 - best.chance);
			const facts = `${found.depth ? `depth ${found.depth}, ` : ""}${found.seconds.toFixed(1)} s${done ? `, ${found.agent}` : " …"}`;
			put(bench.extra, bench.ranking(found.moves, { facts, onPick: (each) => (at < 0 ? move(each.move) : undefined) }));
			if (done) announce(`Best is ${found.moves.slice(0, 3).map((each) => each.move).join(", then ")}`);
		};
		put(bench.extra, h("p", { class: "facts" }, "Thinking …"));
		search = listen({ do: "analyse", game: state.game, start: state.start, moves: words().slice(0, here), seconds: 1, shares: false }, {
			part: (part) => seen(part, false),
			done: (done) => done.moves && seen(done, true),
			error: (problem) => { endSearch(); toast(problem); },
		});
	}

	function review() {
		endSearch();
		/** @type {Map<number, any>} */
		const judged = new Map();
		const luck = [0, 0];
		let lucky = false;
		put(bench.extra, h("p", { class: "facts" }, "Looking at every move …"));
		search = listen({ do: "review", game: state.game, start: state.start, moves: words() }, {
			part: (part) => {
				if (part.luck !== undefined) {
					luck[0] += part.luck;
					luck[1] -= part.luck;
					lucky = true;
				} else judged.set(part.at, part);
				if (judged.size % 4 === 0) bench.draw(new Map(judged), latest());
			},
			done: () => {
				search = null;
				bench.draw(judged, latest());
				put(bench.extra, bench.verdict(judged, { luck: lucky ? luck : undefined, onTry: again }));
				announce("The review is ready");
			},
			error: (problem) => { search = null; toast(problem); },
		});
	}

	/** @param {number} from */
	async function again(from) {
		const fresh = await ask("/api/tables", { game: state.game, players: state.players, start: state.start, moves: words().slice(0, from), seed: state.seed });
		location.hash = `#/table/${fresh.id}`;
	}

	function tools() {
		const browsing = at >= 0;
		const list = [];
		if (browsing) list.push(tool("To the end", "Back to the game", () => go(latest()), "End"));
		if (!state.over && state.kind === "decision") list.push(tool("Hint", "The best moves here", hint, "h"));
		if (browsing || state.over) list.push(tool("Try from here", "A new game from this position", () => again(at < 0 ? latest() : at)));
		if (people().length) {
			list.push(tool("Undo", "Take your last move back", () => act("undo"), "u"));
			if (state.redo) list.push(tool("Redo", "Play it again", () => act("redo"), "r"));
		}
		if (state.over) list.push(tool("Review", "Look at every move of the game", review));
		list.push(tool("Flip", "Turn the board around", () => { bench.board.turn(); refresh(); }, "f"));
		if (!state.over && people().length) list.push(tool("Resign", "Give up", () => confirmResign()));
		if (state.over) list.push(tool("New game", "The same again", () => again(0)));
		list.push(tool("More", "Analyse, share, save", more));
		put(bench.tools, list);
	}

	function confirmResign() {
		const box = dialog("Resign?", h("p", {}, "The game will be lost. Undo brings it back."),
			h("p", {}, h("button", { class: "primary", onclick: () => { box.close(); act("resign"); } }, "Resign"), " ", h("button", { onclick: () => box.close() }, "Play on")));
	}

	function more() {
		const here = at < 0 ? latest() : at;
		const link = address("analyse", { game: state.game, start: state.start === "start" ? "" : state.start, moves: words().slice(0, here).join(" ") });
		const picture = bench.view;
		const strength = h("select", { "aria-label": "opponent", onchange: (event) => {
			const players = state.players.map((who) => (who === "person" ? who : event.target.value));
			act("players", { players });
			box.close();
		} }, h("option", {}, "another opponent …"), game.levels.map((level) => h("option", { value: level.agent }, `${level.title}: ${level.meaning}`)));
		const box = dialog("This game",
			h("p", {}, h("a", { class: "button", href: link, onclick: () => box.close() }, "Analyse this position")),
			people().length === 1 ? h("p", {}, strength) : null,
			h("p", {}, h("button", { onclick: () => copy(location.href.split("#")[0] + link, "Link") }, "Copy a link to the position")),
			h("p", {}, h("button", { onclick: () => copy(picture?.text ?? "", "Position") }, "Copy the position as text")),
			h("p", {}, h("a", { class: "button", href: `/api/tables/${id}/record`, download: true }, "Save the game as text")),
			h("p", {}, h("button", { onclick: async () => {
				const text = await ask("/api/picture", { game: state.game, start: state.start, moves: words().slice(0, here) });
				download("position.svg", new Blob([text], { type: "image/svg+xml" }));
			} }, "Save the picture")),
			h("p", { class: "facts" }, `seed ${state.seed}`));
	}

	function details() {
		const input = bench.aside.querySelector(".type-move");
		if (!input) {
			bench.aside.append(h("form", { class: "type-move", onsubmit: (event) => {
				event.preventDefault();
				const box = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("move"));
				if (box.value.trim()) move(box.value.trim());
				box.value = "";
			} }, h("input", { name: "move", placeholder: "type a move", "aria-label": "type a move", autocomplete: "off", spellcheck: "false" })));
		}
		bench.aside.querySelector(".rolls")?.remove();
		if (state.rolls.length && state.plies.length) {
			const total = state.rolls.reduce((sum, each) => sum + each.count, 0);
			bench.aside.append(h("details", { class: "rolls" }, h("summary", {}, `Rolls: ${total}`),
				h("table", {}, h("tbody", {}, state.rolls.map((each) => h("tr", {}, h("th", { scope: "row" }, each.roll), h("td", {}, each.count), h("td", { class: "quiet-text" }, `expected ${each.expected.toFixed(1)}`)))))));
		}
	}

	/** @param {KeyboardEvent} event */
	function key(event) {
		const target = /** @type {HTMLElement} */ (event.target);
		if (event.ctrlKey || event.metaKey || target.closest("input, select, textarea, dialog")) return;
		if (event.key === "h") hint();
		else if (event.key === "u") act("undo");
		else if (event.key === "r") act("redo");
		else bench.key(event);
	}

	put(main, h("h1", { class: "unseen" }, `A game of ${game.name}`), bench.element);
	bench.moves(state.plies);
	pictures.set(latest(), state.view);
	await refresh();
	addEventListener("keydown", key);
	const stop = listen({ do: "watch", table: id }, { part: take, error: (problem) => toast(problem) }, true);
	return () => {
		stop();
		search?.();
		removeEventListener("keydown", key);
	};
}
