// @ts-check
// Analysis: any position, every move with its value, what the evaluation sees, an editor.

import { address, ask, game as findGame, games, listen } from "./api.js";
import { Bench, tool } from "./bench.js";
import { announce, attempt, capital, complain, copy, dialog, download, h, percent, put, valueText } from "./dom.js";

/** @param {HTMLElement} main @param {URLSearchParams} given @returns {Promise<() => void>} */
export async function analysePage(main, given) {
	const all = (await games()).games;
	let game = await findGame(given.get("game") || all[0].spec);
	let start = given.get("start") || "start";
	/** @type {string[]} */
	let moves = (given.get("moves") || "").split(" ").filter(Boolean);
	let at = given.has("at") ? Number(given.get("at")) : moves.length;
	let agent = given.get("agent") || "";
	let seconds = Number(given.get("seconds") || 3);
	/** @type {any} */
	let state = null;
	/** @type {(() => void) | null} */
	let search = null;
	let editing = false, brush = "", running = true;
	/** @type {string[]} */
	let secret = [];

	const bench = new Bench({ names: game.names, home: game.home, onMove: (action) => play(action.move), onGo: go, onCell: undefined });

	/** @param {string} text */
	function play(text) {
		if (state.kind === "simultaneous") {
			secret = [...secret, text];
			if (secret.length < 2) return draw();
			text = secret.map(word).join("|");
			secret = [];
		} else text = word(text);
		moves = [...moves.slice(0, at), text];
		at = moves.length;
		load();
	}

	/** @param {number} where */
	function go(where) {
		at = where;
		secret = [];
		load();
	}

	async function load() {
		stop();
		try {
			const whole = await ask("/api/line", { game: game.spec, start, moves });
			state = at === moves.length ? whole : { ...(await ask("/api/line", { game: game.spec, start, moves: moves.slice(0, at) })), plies: whole.plies };
		} catch (error) {
			complain(error);
			return;
		}
		moves = state.plies.map((ply) => ply.word);
		bench.moves(state.plies);
		draw();
		history.replaceState(null, "", here());
		if (running) think();
	}

	function here() {
		return address("analyse", { game: game.spec, start: start === "start" ? "" : start, moves: moves.join(" "), at: at === moves.length ? undefined : at, agent, seconds: seconds === 3 ? undefined : seconds });
	}

	function draw() {
		bench.board.given.onCell = editing ? paint : undefined;
		const view = state.view;
		let actions = view.actions;
		let status = view.status;
		if (state.kind === "simultaneous") {
			actions = view.choices[secret.length];
			status = `${capital(game.names[secret.length])} chooses`;
		}
		bench.show(view, { actions: editing ? [] : actions, at, status });
		if (state.kind === "chance") {
			bench.buttons.append(...outcomes());
		}
		bench.players(["", ""], view.mover);
		tools();
	}

	/** The throws of the dice as buttons: in an analysis people choose them. */
	function outcomes() {
		return (state.view.outcomes ?? []).map((each) =>
			h("button", { class: "option", title: percent(each.chance, 1), onclick: () => { moves = [...moves.slice(0, at), `:${word(each.text)}`]; at = moves.length; load(); } }, each.text));
	}

	// --- the search ---

	function stop() {
		search?.();
		search = null;
		bench.board.layer({});
		bench.chance(null);
		put(bench.extra);
	}

	function think() {
		if (state.over || state.kind === "chance" || editing) return;
		put(bench.extra, h("p", { class: "facts" }, "Thinking …"));
		search = listen({ do: "analyse", game: game.spec, start, moves: moves.slice(0, at), seconds, agent: agent || null }, {
			part: (part) => tell(part, false),
			done: (done) => (done.stopped ? undefined : tell(done, true)),
			error: (problem) => { search = null; put(bench.extra, h("p", { class: "facts" }, problem)); },
		});
	}

	/** @param {any} found @param {boolean} done */
	function tell(found, done) {
		if (done) search = null;
		const best = found.moves?.[0];
		const mover = state.view.mover ?? 0;
		if (best && best.chance !== null) bench.chance(mover === 0 ? best.chance : 1 - best.chance);
		const open = bench.extra.querySelector("details")?.open ?? false;
		const facts = `${found.depth ? `depth ${found.depth}, ` : ""}${(found.seconds ?? 0).toFixed(1)} s${done ? `, by ${found.agent}` : " …"}`;
		const list = found.moves ? bench.ranking(found.moves, { facts, onPick: (each) => play(each.move) }) : null;
		put(bench.extra, list, found.moves?.length > 3 ? rest(found.moves, open) : null, found.matrix ? matrix(found.matrix) : null, found.evaluation ? shares(found.evaluation) : null);
		if (done && best) announce(`Best is ${best.move}, ${valueText(best.value, best.end)}`);
	}

	/** @param {any[]} ranked @param {boolean} open */
	function rest(ranked, open) {
		const low = Math.min(...ranked.map((each) => each.chance ?? 0)), high = Math.max(...ranked.map((each) => each.chance ?? 0));
		return h("details", { open }, h("summary", {}, `All ${ranked.length} moves`),
			h("table", { class: "all-moves" }, h("tbody", {}, ranked.map((each) => {
				const bar = h("span", { class: "tiny-bar" });
				bar.style.width = `${high > low && each.chance !== null ? 2 + (4 * (each.chance - low)) / (high - low) : 2}rem`;
				return h("tr", {}, h("th", { scope: "row" }, h("button", { class: "link", onclick: () => play(each.move), onpointerenter: () => bench.arrows([each]), onpointerleave: () => bench.arrows(ranked) }, each.move)),
					h("td", {}, valueText(each.value, each.end)), h("td", {}, percent(each.chance)), h("td", {}, bar));
			}))));
	}

	/** What each feature adds; under the pointer, what each move would do for it. */
	function shares(evaluation) {
		const names = Object.keys(evaluation.shares);
		if (!names.length) return h("p", { class: "facts" }, `${evaluation.name}: ${valueText(evaluation.value, null)} for ${game.names[state.view.mover ?? 0]}`);
		const most = Math.max(...Object.values(evaluation.shares).map(Math.abs), 1e-9);
		const paths = new Map(state.view.actions.map((action) => [action.move, action.path]));
		const rows = names.map((name) => {
			const share = evaluation.shares[name];
			const bar = h("span", { class: `share ${share < 0 ? "less" : "more"}` });
			bar.style.width = `${(5 * Math.abs(share)) / most}rem`;
			const show = () => {
				/** @type {Record<string, number>} */
				const heat = {};
				const changes = Object.entries(evaluation.after).map(([move, after]) => /** @type {[string, number]} */ ([move, /** @type {any} */ (after)[name] - share]));
				const size = Math.max(...changes.map(([, change]) => Math.abs(change)), 1e-9);
				for (const [move, change] of changes) {
					const end = paths.get(move)?.at(-1);
					if (end && Math.abs(change) > 1e-9 && Math.abs(change / size) > Math.abs(heat[end] ?? 0)) heat[end] = change / size;
				}
				bench.board.layer({ heat });
			};
			return h("tr", { tabindex: 0, onpointerenter: show, onfocus: show, onpointerleave: () => bench.board.layer({}), onblur: () => bench.board.layer({}) },
				h("th", { scope: "row" }, name.replaceAll("_", " ")), h("td", {}, valueText(share, null)), h("td", {}, bar));
		});
		return h("details", { class: "shares", open: true }, h("summary", {}, `${evaluation.name}: ${valueText(evaluation.value, null)} for ${game.names[state.view.mover ?? 0]}`),
			h("table", {}, h("tbody", {}, rows)), h("p", { class: "facts" }, "Point at a feature: discs show where moves raise it, dashed rings where they lower it."));
	}

	/** A game of both at once: payoffs, and how often each move should be played. */
	function matrix(known) {
		const most = Math.max(...known.payoffs.flat().map(Math.abs), 1e-9);
		const size = known.size[0] * known.size[1] > known.rows.length * known.columns.length ? ` of ${known.size[0]} by ${known.size[1]} moves, those played most` : "";
		const paths = new Map([0, 1].flatMap((side) => state.view.choices[side].map((action) => [`${side} ${action.move}`, action.path])));
		bench.board.layer({ arrows: [...known.rows.map((each) => ({ ...each, side: 0 })), ...known.columns.map((each) => ({ ...each, side: 1 }))]
			.filter((each) => each.share > 0.02).map((each) => ({ path: paths.get(`${each.side} ${each.move}`) ?? [], kind: each.share > 0.3 ? "best" : "other", text: percent(each.share) })) });
		return h("div", { class: "scroll" }, h("p", { class: "facts" }, `The game is worth ${valueText(known.value, null)} to ${game.names[0]}`), h("p", { class: "facts" }, `Payoffs of ${game.names[0]}${size}; in the margins how often each move is best played`), h("table", { class: "matrix" }, h("thead", {}, h("tr", {}, h("td", {}), h("td", {}), known.columns.map((each) => h("th", { scope: "col" }, each.move))),
				h("tr", {}, h("td", {}), h("td", {}), known.columns.map((each) => h("td", {}, percent(each.share))))),
			h("tbody", {}, known.rows.map((row, i) => h("tr", {}, h("th", { scope: "row" }, row.move), h("td", {}, percent(row.share)),
				known.payoffs[i].map((value) => {
					const cell = h("td", { class: value < 0 ? "less" : "more" }, value.toFixed(2));
					cell.style.setProperty("--deep", String(Math.abs(value) / most));
					return cell;
				}))))));
	}

	// --- the editor ---

	/** @param {string} cell */
	async function paint(cell) {
		await attempt(async () => {
			const picture = await ask("/api/edit", { game: game.spec, position: state.view.text, cells: { [cell]: brush } });
			take(picture.text);
		});
	}

	/** @param {string} text */
	function take(text) {
		start = text;
		moves = [];
		at = 0;
		load();
	}

	function edit() {
		editing = !editing;
		if (!editing) return load();
		stop();
		draw();
		const brushes = ["", ...game.letters].map((letter) => h("label", { class: "choice-row" },
			h("input", { type: "radio", name: "brush", checked: letter === brush, onchange: () => (brush = letter) }), letter ? `piece ${letter}` : "empty"));
		const movers = game.names.map((name, side) => h("button", { onclick: async () => take((await ask("/api/edit", { game: game.spec, position: state.view.text, cells: {}, mover: side })).text) }, `${capital(name)} to move`));
		put(bench.extra, h("fieldset", {}, h("legend", {}, "Put on a cell"), brushes), h("p", {}, movers), h("p", {}, h("button", { class: "primary", onclick: edit }, "Done")));
	}

	function paste() {
		const text = h("textarea", { rows: 6, "aria-label": "position, moves or game", placeholder: state.view.text });
		const box = dialog("A position, moves, or a whole game",
			h("p", {}, "In the game's own notation; a game as it was saved here."), text,
			h("p", {}, h("button", { class: "primary", onclick: async () => {
				await attempt(async () => {
					const meant = await ask("/api/read", { game: game.spec, text: text.value || text.placeholder });
					if (meant.game !== game.spec) game = await findGame(meant.game);
					start = meant.start;
					moves = meant.moves;
					at = moves.length;
					box.close();
					load();
				});
			} }, "Show")));
	}

	function share() {
		const link = location.href.split("#")[0] + here();
		const box = dialog("Share and save",
			h("p", {}, h("button", { onclick: () => copy(link, "Link") }, "Copy a link to this line")),
			h("p", {}, h("button", { onclick: () => copy(state.view.text, "Position") }, "Copy the position as text")),
			h("p", {}, h("button", { onclick: () => copy(moves.join(" "), "Moves") }, "Copy the moves")),
			h("p", {}, h("button", { onclick: async () => download("position.svg", new Blob([await ask("/api/picture", { game: game.spec, start, moves: moves.slice(0, at) })], { type: "image/svg+xml" })) }, "Save the picture")),
			h("p", {}, h("a", { class: "button", href: address("new", { game: game.spec, start: start === "start" ? "" : start, moves: moves.slice(0, at).join(" ") }), onclick: () => box.close() }, "Play from here")));
	}

	function tools() {
		const who = h("select", { class: "who-thinks", "aria-label": "who analyses", onchange: (event) => { agent = event.target.value; load(); } },
			h("option", { value: "" }, game.analyst), game.levels.filter((each) => each.agent !== game.analyst).map((each) => h("option", { value: each.agent, selected: each.agent === agent }, each.agent)),
			game.evaluations.filter((each) => Object.keys(each.weights).length > 2 && game.levels.some((level) => level.agent.startsWith("alphabeta"))).map((each) => {
				const spec = `alphabeta(depth=4, eval=${each.name})`;
				return h("option", { value: spec, selected: spec === agent }, spec);
			}));
		put(bench.tools,
			tool(running ? "Pause" : "Analyse", "Search or not", () => { running = !running; load(); }, "a"), who,
			tool("Back", "One move back", () => go(Math.max(0, at - 1)), "←"), tool("Flip", "Turn the board around", () => { bench.board.turn(); draw(); }, "f"),
			game.editable ? tool(editing ? "Done" : "Edit", "Set up a position", edit) : null, tool("Paste", "A position, moves or a game", paste), tool("Share", "Link, text, picture", share),
			tool("Start", "The first position", () => take("start")));
		if (all.length > 1) {
			bench.tools.append(h("select", { "aria-label": "game", onchange: (event) => { location.hash = address("analyse", { game: event.target.value }); } },
				all.map((each) => h("option", { value: each.spec, selected: each.name === game.name }, capital(each.name)))));
		}
	}

	/** @param {KeyboardEvent} event */
	function key(event) {
		if (/** @type {HTMLElement} */ (event.target).closest("input, select, textarea, dialog")) return;
		if (event.key === "a" && !event.ctrlKey && !event.metaKey) {
			running = !running;
			load();
		} else bench.key(event);
	}

	put(main, h("h1", { class: "unseen" }, "Analyse"), bench.element);
	addEventListener("keydown", key);
	await load();
	return () => {
		search?.();
		removeEventListener("keydown", key);
	};
}

/** A move as one word of a record. @param {string} text */
function word(text) {
	return text.replace(/[\\_|{}]/g, "\\$&").replaceAll(" ", "_");
}
