// @ts-check
// Analysis: any position, every move with its value, what the evaluation sees, an editor.

import { address, ask, game as findGame, games, listen, playerBy } from "./api.js";
import { Bench, searchFacts, tool } from "./bench.js";
import { announce, attempt, button, capital, complain, folded, h, isTaken, note, para, percent, put, scrolled, select, table, valueText } from "./dom.js";
import { shaded } from "./plots.js";
import { pasteDialog, shareDialog } from "./share.js";

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
		if (state.kind === "chance") put(bench.buttons, outcomes());
		bench.players(["", ""], view.mover);
		tools();
	}

	/** The throws of the dice as buttons: in an analysis people choose them. */
	function outcomes() {
		return (state.view.outcomes ?? []).map((each) =>
			button(each.text, () => throwDice(each.text), "option", { title: percent(each.chance, 1) }));
	}

	function throwDice(text) {
		moves = [...moves.slice(0, at), `:${word(text)}`];
		at = moves.length;
		load();
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
		if (state.over || editing) return;
		put(bench.extra, note("Thinking …"));
		search = listen({ do: "analyse", game: game.spec, start, moves: moves.slice(0, at), seconds, agent: agent || null }, {
			part: (part) => tell(part, false),
			done: (done) => (done.stopped ? undefined : tell(done, true)),
			error: (problem) => { search = null; put(bench.extra, note(problem)); },
		});
	}

	function tell(found, done) {
		if (done) search = null;
		const best = found.moves?.[0] ?? found.matrix ?? found;
		const mover = found.mover ?? state.view.mover ?? 0;
		if (typeof best.chance === "number") bench.chance(mover === 0 ? best.chance : 1 - best.chance, found.exact);
		const open = bench.extra.querySelector("details")?.open ?? false;
		const facts = searchFacts(found, done);
		put(bench.extra, found.moves ? bench.ranking(found.moves, { facts, onPick: (each) => play(each.move) }) : note(facts), found.moves?.length > 3 ? rest(found.moves, open) : null,
			found.matrix ? matrix(found.matrix) : null, found.throws ? throws(found) : null, found.evaluation ? shares(found.evaluation) : null);
		if (done && found.moves) announce(`Best is ${best.move}, ${valueText(best.value, best.end, best.draw)}`);
	}

	function rest(ranked, open) {
		const low = Math.min(...ranked.map((each) => each.chance ?? 0)), high = Math.max(...ranked.map((each) => each.chance ?? 0));
		const box = folded(`All ${ranked.length} moves`, table([], ranked.map((each) => {
			const bar = h("span.tiny-bar");
			bar.style.width = `${high > low && each.chance !== null ? 2 + (4 * (each.chance - low)) / (high - low) : 2}rem`;
			return [button(each.move, () => play(each.move), "link", { onpointerenter: () => bench.arrows([each]), onpointerleave: () => bench.arrows(ranked) }), valueText(each.value, each.end, each.draw), percent(each.chance, 1), bar];
		}), "all-moves"));
		box.open = open;
		return box;
	}

	/** Before the dice are thrown: every throw, and what can be made of it. */
	function throws(found) {
		return table(["throw", "comes", `${game.names[found.mover]} then`, "best move"], found.throws.map((each) => [button(each.throw, () => throwDice(each.throw), "link"), percent(each.share, 1), percent(each.chance, 1), each.best ?? "none"]), "all-moves",
			`Every throw; before it ${game.names[found.mover]} has ${percent(found.chance, 1)}`);
	}

	/** What each feature adds; under the pointer, which pieces and which moves do it. */
	function shares(evaluation) {
		const names = Object.keys(evaluation.shares);
		const title = `${evaluation.name}: ${valueText(evaluation.value)} for ${game.names[evaluation.mover]}`;
		if (!names.length) return note(title);
		const most = Math.max(...Object.values(evaluation.shares).map(Math.abs), 1e-9);
		const paths = new Map(state.view.actions.map((action) => [action.move, action.path]));
		/** The largest changes by cell, as parts of the largest. @param {[string | undefined, number][]} changes */
		const heatOf = (changes) => {
			/** @type {Record<string, number>} */
			const heat = {};
			const size = Math.max(...changes.map(([, change]) => Math.abs(change)), 1e-9);
			for (const [cell, change] of changes) if (cell && Math.abs(change) > 1e-9 && Math.abs(change / size) > Math.abs(heat[cell] ?? 0)) heat[cell] = change / size;
			return heat;
		};
		const rows = names.map((name) => {
			const share = evaluation.shares[name];
			const bar = h("span", { class: `share ${share < 0 ? "less" : "more"}` });
			bar.style.width = `${(5 * Math.abs(share)) / most}rem`;
			return [name.replaceAll("_", " "), valueText(share), bar];
		});
		const list = table([], rows);
		for (const [i, row] of [...list.querySelectorAll("tr")].entries()) {
			const show = () => bench.board.layer({
				heat: heatOf(Object.entries(evaluation.pieces).map(([cell, adds]) => [cell, /** @type {any} */ (adds)[names[i]]])),
				marks: heatOf(Object.entries(evaluation.after).map(([move, after]) => [paths.get(move)?.at(-1), /** @type {any} */ (after)[names[i]] - evaluation.shares[names[i]]])),
			});
			row.tabIndex = 0;
			for (const name of ["pointerenter", "focus"]) row.addEventListener(name, show);
			for (const name of ["pointerleave", "blur"]) row.addEventListener(name, () => bench.board.layer({}));
		}
		const box = folded(title, list, note("Point at a feature. Rings around pieces: what it gets from them. Small dots: what moves there would add. Whole is more, dashed is less."));
		box.className = "shares";
		box.open = true;
		return box;
	}

	/** A game of both at once: payoffs, and how often each move should be played. */
	function matrix(known) {
		const most = Math.max(...known.payoffs.flat().map(Math.abs), 1e-9);
		const size = known.size[0] * known.size[1] > known.rows.length * known.columns.length ? ` of ${known.size[0]} by ${known.size[1]} moves, those played most` : "";
		const paths = new Map([0, 1].flatMap((side) => state.view.choices[side].map((action) => [`${side} ${action.move}`, action.path])));
		const sides = [known.rows, known.columns];
		bench.board.layer({ arrows: sides.flatMap((list, side) => list.filter((each) => each.share > 0.02).map((each) => ({ path: paths.get(`${side} ${each.move}`) ?? [], kind: each.share > 0.3 ? "best" : "other", text: percent(each.share) }))) });
		const strategies = sides.map((list, side) => table([], list.filter((each) => each.share > 0.005).map((each) => {
			const bar = h("span.share.more");
			bar.style.width = `${7 * each.share}rem`;
			return [each.move, percent(each.share), bar];
		}), "all-moves", `${capital(game.names[side])} should play`));
		return h("div", note(`The game is worth ${valueText(known.value)} to ${game.names[0]}`), strategies,
			note(`Payoffs of ${game.names[0]}${size}; in the margins how often each is best played`), scrolled("payoffs", table([`${game.names[0]} \\ ${game.names[1]}`, "", ...known.columns.map((each) => each.move)],
				[["", "", ...known.columns.map((each) => percent(each.share))], ...known.rows.map((row, i) => [row.move, percent(row.share), ...known.payoffs[i].map((value) => shaded(value.toFixed(1), value / most))])],
				"matrix")));
	}

	// --- the editor ---

	async function paint(cell) {
		await attempt(async () => {
			// Where pieces are heaped, one more of the same comes on top.
			const standing = state.view.pieces.filter((piece) => game.stacks && brush && piece.cell === cell && piece.letter.toLowerCase() === brush.toLowerCase()).map((piece) => piece.letter.repeat(piece.count)).join("");
			const picture = await ask("/api/edit", { game: game.spec, position: state.view.text, cells: { [cell]: standing + brush } });
			take(picture.text);
		});
	}

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
		const brushes = ["", ...game.letters].map((letter) => h("label.choice-row",
			h("input", { type: "radio", name: "brush", checked: letter === brush, onchange: () => (brush = letter) }), letter ? `piece ${letter}` : "empty"));
		const movers = game.simultaneous ? [] : game.names.map((name, side) => button(`${capital(name)} to move`, () => attempt(async () => take((await ask("/api/edit", { game: game.spec, position: state.view.text, cells: {}, mover: side })).text))));
		put(bench.extra, h("fieldset", h("legend", "Put on a cell"), brushes), para(movers), para(button("Done", edit, "primary")));
	}

	function paste() {
		pasteDialog(game.spec, state.view.text, async (meant) => {
			if (meant.game !== game.spec) game = await findGame(meant.game);
			start = meant.start;
			moves = meant.moves;
			at = moves.length;
			load();
		});
	}

	const share = () => attempt(async () => {
		const line = { game: game.spec, start, moves: moves.slice(0, at) };
		const play = address("new", { ...line, start: start === "start" ? "" : start, moves: line.moves.join(" ") });
		const box = await shareDialog(line, here(), para(h("a.button", { href: play, onclick: () => box.close() }, "Play from here")));
	});

	function tools() {
		// Those who judge by an evaluation of their own, so that its shares can be looked at.
		const judges = game.evaluations.filter((each) => Object.keys(each.weights).length > 1).map((each) => playerBy(game, each.name));
		const levels = game.levels.map((each) => each.agent).filter((each) => each !== game.analyst);
		const who = select("who analyses", [["", game.analyst], ...[...new Set([...levels, ...judges, ...(agent ? [agent] : [])])].map((each) => [each])], agent, (value) => { agent = value; load(); }, { class: "who-thinks" });
		put(bench.tools,
			tool(running ? "Pause" : "Analyse", "Search or not", () => { running = !running; load(); }, "a"), who,
			tool("Back", "One move back", () => go(Math.max(0, at - 1)), "←"), tool("Flip", "Turn the board around", () => { bench.board.turn(); draw(); }, "f"),
			game.editable ? tool(editing ? "Done" : "Edit", "Set up a position", edit) : null, tool("Paste", "A position, moves or a game", paste), tool("Share", "Link, text, picture", share),
			tool("Start", "The first position", () => take("start")),
			select("game", all.map((each) => [each.spec, capital(each.name)]), all.find((each) => each.name === game.name)?.spec ?? "", (value) => (location.hash = address("analyse", { game: value }))));
	}

	function key(event) {
		if (isTaken(event)) return;
		if (event.key === "a") {
			running = !running;
			load();
		} else bench.key(event);
	}

	put(main, h("h1.unseen", "Analyse"), bench.element);
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
