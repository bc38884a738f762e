// @ts-check
// A table: a game being played, followed live.

import { address, ask, game as findGame, lineAddress, listen, playerName } from "./api.js";
import { Bench, searchFacts, tool } from "./bench.js";
import {
	announce,
	attempt,
	button,
	capital,
	complain,
	copy,
	dialog,
	folded,
	h,
	isTaken,
	keep,
	note,
	para,
	percent,
	put,
	recall,
	select,
	table,
	thinking,
	toast,
} from "./dom.js";
import { analyse, canSearch, searchHere } from "./search.js";
import { shareDialog } from "./share.js";

/**
 * @typedef {import("./messages.js").Table} Table
 * @typedef {import("./messages.js").Analysis} Analysis
 * @typedef {{judged: [number, import("./messages.js").Judged[]][], exact: boolean,
 *   thrown: [number, import("./messages.js").Thrown][], by?: string}} Reviewed
 */

/**
 * The page of a table.
 * @param {HTMLElement} main
 * @param {URLSearchParams} given
 * @param {string} id
 */
export async function tablePage(main, given, id) {
	const path = /** @type {const} */ (`/api/tables/${id}`),
		first = await ask(path);
	const game = await findGame(first.game);
	let state = first;
	/** the position that is shown; below 0 the last */
	let at = given.has("at") ? Number(given.get("at")) : -1;
	/** @type {Map<number, import("./messages.js").View>} */
	const pictures = new Map();
	/** @type {(() => void) | null} */
	let search = null;
	/** @type {(() => void) | null} */
	let reviewing = null;
	/** @type {(() => void) | null} */
	let opponent = null;
	let searchedAt = -1;
	let drawn = "";

	const bench = new Bench({
		names: first.names,
		home: game.home,
		marks: game.marks,
		onMove: (action) => move(action.move),
		onGo: go,
		why: () => {
			if (at >= 0) return "this is an earlier position; » goes back to the game";
			if (state.over) return "the game is over";
			return state.mine.length ? "it is not your turn" : "you are watching";
		},
	});
	const side = first.mine[0] ?? first.players.indexOf("person");
	bench.board.flip = side >= 0 && game.home !== side;

	const typed = h("input", {
		placeholder: "type a move",
		"aria-label": "type a move",
		autocomplete: "off",
		spellcheck: "false",
	});
	const typing = h(
		"form.type-move",
		{
			onsubmit: (/** @type {Event} */ event) => {
				event.preventDefault();
				if (typed.value.trim()) move(typed.value.trim());
				typed.value = "";
			},
		},
		typed,
	);
	const watching = note("You are watching.");
	bench.aside.append(watching, typing);

	const latest = () => state.plies.length;
	const people = () => state.players.filter((who) => who === "person").length;
	const words = () => state.plies.map((ply) => ply.word);

	/** @param {string} text */
	async function move(text) {
		endSearch();
		bench.element.dataset.turn = "sent";
		const player = chooserNow();
		try {
			take(
				await (state.kind === "simultaneous" && player !== undefined
					? ask(`${path}/choose`, { player, move: text })
					: ask(`${path}/play`, { move: text, serial: state.serial })),
			);
		} catch (error) {
			complain(error);
			drawn = "";
			refresh();
		}
	}

	/** Whose choice is the visitor's now where both choose. */
	const chooserNow = () => state.mine.find((side) => !state.chosen.includes(side));

	/** Does something to the table. @param {() => Promise<Table>} deed */
	async function act(deed) {
		endSearch();
		await attempt(async () => {
			at = -1;
			take(await deed());
		});
	}

	const undo = () => act(() => ask(`${path}/undo`, {}));
	const redo = () => act(() => ask(`${path}/redo`, {}));

	/** Finds the agent's move here, if the server asks this page for it. @param {Table} fresh */
	async function playForAgent({ asked, own, serial }) {
		if (!asked || !own || searchedAt === serial) {
			if (!asked) opponent?.();
			return;
		}
		searchedAt = serial;
		const answer = (/** @type {string | null} */ move) => {
			opponent = null;
			ask(`${path}/answer`, { serial, move }).catch(() => {}); // nobody waits any more
		};
		const { task } = await ask(`${path}/task`).catch(() => ({ task: null }));
		if (!task || state.serial !== serial) return;
		opponent = searchHere("opponent", task, id, {
			known: (known) => known.done && answer(known.found[0]?.line[0] ?? null),
			failed: () => answer(null),
		});
	}

	/** The table has changed. @param {Table} fresh */
	function take(fresh) {
		if (fresh.serial < state.serial) return;
		if (canSearch) playForAgent(fresh);
		const grown = fresh.plies.length > state.plies.length;
		const before = state;
		state = fresh;
		const [was, is] = [before, fresh].map((each) => JSON.stringify(each.plies));
		if (was !== is) {
			if (!is.startsWith(was.slice(0, -1))) pictures.clear();
			forgetReview();
			bench.moves(fresh.plies);
			const last = fresh.plies.at(-1);
			if (grown && last) {
				const who = last.player === null ? "" : state.names[last.player];
				announce(`${who} ${last.texts.join(" and ")}. ${fresh.status}`);
			}
			if (at === latest()) at = -1;
		}
		pictures.set(latest(), fresh.view);
		// Who takes a seat sits at the bottom of the board.
		if (
			before.mine.join() !== fresh.mine.join() &&
			fresh.mine.length === 1 &&
			bench.board.flip !== (game.home !== fresh.mine[0])
		)
			bench.turn();
		refresh();
	}

	/**
	 * The moves that the visitor can make in a picture, and what to say about it.
	 * @param {import("./messages.js").View} picture
	 * @param {boolean} live whether it is the last
	 */
	function choices(picture, live) {
		const chooser = chooserNow();
		if (live && state.kind === "simultaneous" && chooser !== undefined) {
			// A person need not wait for the other to have chosen.
			const name = capital(state.names[chooser]);
			return {
				actions: picture.choices?.[chooser] ?? [],
				status: `${name}, choose in secret; both moves are shown together`,
			};
		}
		const mine = picture.mover !== null && state.mine.includes(picture.mover);
		const free = live && state.kind !== "simultaneous" && !state.over && !state.thinking;
		return {
			actions: free && mine ? picture.actions : [],
			status: live ? state.status : picture.status,
		};
	}

	/** What stands beside a player's name. @param {number} side @param {boolean} live */
	function whoPlays(side, live) {
		const who = state.players[side];
		const thinks = state.kind === "simultaneous" || state.view.mover === side;
		const name = playerName(game, who);
		if (who !== "person") return live && state.thinking && thinks ? `${name} · thinking …` : name;
		if (state.free.includes(side)) return "a free seat";
		return state.mine.length === 1 && state.mine[0] === side ? "you" : "a person";
	}

	async function refresh() {
		const here = at < 0 ? latest() : Math.min(at, latest());
		const live = here === latest();
		let picture = live ? state.view : pictures.get(here);
		if (!picture) {
			picture = await ask(`${path}/at/${here}`);
			pictures.set(here, picture);
		}
		const { actions, status } = choices(picture, live);
		// News that change nothing on the board leave a half-made choice alone.
		const fresh = JSON.stringify([here, state.serial, actions.length, actions[0], status]);
		if (fresh !== drawn) bench.show(picture, { actions, at: here, status });
		drawn = fresh;
		bench.players(
			state.players.map((_, side) => whoPlays(side, live)),
			live && state.over ? null : picture.mover,
			state.players,
		);
		bench.status.classList.toggle("over", live && state.over);
		if (state.problem) bench.status.textContent = state.problem;
		tools();
		details();
		history.replaceState(null, "", address(`table/${id}`, { at: at < 0 ? undefined : here }));
		bench.element.dataset.turn = state.over ? "over" : actions.length ? "mine" : "theirs";
		watching.hidden = state.mine.length > 0 || !people();
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

	/** The best moves. @param {Analysis} found @param {boolean} done */
	function showHint(found, done) {
		const known = found.matrix;
		const moves = known ? mixed(chooserNow() ? known.columns : known.rows) : (found.moves ?? []);
		const best = moves[0];
		if (!best) return;
		if (best.chance !== null) {
			const mover = bench.view?.mover ?? 0;
			bench.chance(known ? known.chance : mover === 0 ? best.chance : 1 - best.chance, found.exact);
		}
		put(
			bench.extra,
			bench.ranking(moves, {
				facts: searchFacts(found, done),
				onPick: (each) => bench.element.dataset.turn === "mine" && move(each.move),
			}),
		);
		const first = moves.slice(0, 3).map((each) => each.move);
		if (done) announce(`Best is ${first.join(", then ")}`);
	}

	/**
	 * The moves of a mixed strategy as a ranking.
	 * @param {import("./messages.js").Share[]} shares
	 * @returns {import("./messages.js").Ranked[]}
	 */
	const mixed = (shares) =>
		shares
			.filter((each) => each.share > 0)
			.map((each) => ({
				...each,
				end: null,
				visits: 0,
				line: ["", `best played ${percent(each.share)} of the time`],
			}));

	function hint() {
		if (search) return endSearch();
		const here = at < 0 ? latest() : at;
		put(bench.extra, thinking());
		search = analyse(
			{
				do: "analyse",
				game: state.game,
				start: state.start,
				moves: words().slice(0, here),
				seconds: 1,
				shares: false,
			},
			{
				part: (part) => showHint(part, false),
				done: (done) => showHint(done, true),
				error: (problem) => {
					endSearch();
					toast(problem);
				},
			},
		);
	}

	function forgetReview() {
		reviewing?.();
		reviewing = null;
		[bench.judged, bench.thrown] = [new Map(), new Map()];
		bench.graph.hidden = true;
		put(bench.report);
	}

	/** Shows a whole review. @param {Reviewed} found */
	function showReview({ judged, thrown, exact, by }) {
		bench.draw(new Map(judged), new Map(thrown), exact);
		const unseen = words().length - judged.length - thrown.length;
		put(
			bench.report,
			bench.verdict(exact, again),
			unseen > 0 && note(`${unseen} moves were not looked at: the machine is busy.`),
			exact ? null : note(`by ${by}`),
		);
	}

	function review() {
		endSearch();
		forgetReview();
		/** @type {Map<number, import("./messages.js").Judged[]>} */
		const judged = new Map();
		/** @type {Map<number, import("./messages.js").Thrown>} */
		const thrown = new Map();
		let exact = true;
		put(bench.report, note("Looking at every move …"));
		reviewing = listen(
			{ do: "review", game: state.game, start: state.start, moves: words() },
			{
				part: (part) => {
					if (part.throw) thrown.set(part.at, part.throw);
					else if (part.judged?.length) {
						judged.set(part.at, part.judged);
						exact &&= part.exact === true;
						if (judged.size % 4 === 0) bench.draw(judged, thrown, exact);
					}
				},
				done: (done) => {
					reviewing = null;
					const found = { judged: [...judged], thrown: [...thrown], exact, by: done.agent };
					showReview(found);
					keep("reviews", id, [words().join(" "), found]);
					announce("The review is ready");
				},
				error: (problem) => {
					forgetReview();
					toast(problem);
				},
			},
		);
	}

	/** A new game with the first moves of this one. @param {number} from */
	async function again(from) {
		const fresh = await ask("/api/tables", {
			game: state.game,
			players: state.players,
			start: state.start,
			moves: words().slice(0, from),
			seed: from ? state.seed : null,
			secret: from ? state.secret : "",
			searches: canSearch,
		});
		location.hash = `#/table/${fresh.id}`;
	}

	function tools() {
		const browsing = at >= 0,
			playing = state.mine.length > 0 && !state.over;
		put(
			bench.tools,
			!state.over && state.kind !== "chance" && tool("Hint", "The best moves here", hint, "h"),
			browsing && tool("Try from here", "A new game from this position", () => again(at)),
			!state.over &&
				state.free.map((player) =>
					tool(`Sit down as ${state.names[player]}`, "Take the free seat", () =>
						act(() => ask(`${path}/sit`, { player })),
					),
				),
			state.may_undo && tool("Undo", "Take your last move back", undo, "u"),
			state.may_redo && state.redo > 0 && tool("Redo", "Play it again", redo, "r"),
			state.over && tool("Review", "Look at every move of the game", review),
			tool("Flip", "Turn the board around", () => bench.turn(), "f"),
			playing && tool("Resign", "Give up", confirmResign),
			playing &&
				state.mine.length > 1 &&
				tool(
					"Invite",
					"Free the other seat, and copy the address for whoever shall take it",
					invite,
				),
			state.over && tool("New game", "The same again", () => again(0)),
			tool("More", "Analyse, share, save", more),
		);
	}

	function confirmResign() {
		const box = dialog(
			"Resign?",
			para("You lose the game. Undo takes the resignation back."),
			para(
				button(
					"Resign",
					() => {
						box.close();
						act(() => ask(`${path}/resign`, {}));
					},
					"primary",
				),
				" ",
				button("Play on", () => box.close()),
			),
		);
	}

	async function invite() {
		const player = bench.board.flip ? game.home : 1 - game.home;
		await act(() => ask(`${path}/leave`, { player }));
		copy(location.href, "Link");
	}

	const more = () =>
		attempt(async () => {
			const here = at < 0 ? latest() : at;
			const line = { game: state.game, start: state.start, moves: words().slice(0, here) };
			const link = lineAddress("analyse", line);
			const change = (/** @type {string} */ agent) => {
				const [first, second] = state.players.map((who) => (who === "person" ? who : agent));
				act(() => ask(`${path}/players`, { players: [first, second] }));
				box.close();
			};
			const box = await shareDialog(
				{ ...line, players: state.players },
				link,
				para(h("a.button", { href: link }, "Analyse this position")),
				people() === 1 && (state.own || state.mine.length)
					? para(
							select(
								"opponent",
								[
									["", "another opponent …"],
									...game.levels.map((level) => [level.agent, `${level.title}: ${level.meaning}`]),
								],
								"",
								change,
							),
						)
					: null,
			);
		});

	/** All throws so far: how often each came, who threw what, and where they come from. */
	function rolls() {
		const box = folded(
			`Rolls: ${state.thrown.flat().length}`,
			table(
				[],
				state.thrown.map((texts, side) => [
					`${capital(state.names[side])} threw`,
					texts.join(", ") || "nothing yet",
				]),
			),
			table(
				["roll", "came", "expected"],
				state.rolls.map((each) => [each.roll, each.count, each.expected.toFixed(1)]),
			),
			note(`Seed ${state.seed}. `, dicePromise()),
		);
		box.classList.add("rolls");
		box.open = bench.aside.querySelector(".rolls")?.open ?? false;
		return box;
	}

	/** Where the dice come from, and how to check it. */
	function dicePromise() {
		if (!state.promise) return "It decides the dice.";
		if (!state.secret)
			return `The dice follow from a secret that is told at the end; its SHA-256 is ${state.promise}`;
		const verdict = h("span");
		crypto.subtle?.digest("SHA-256", new TextEncoder().encode(state.secret)).then((bytes) => {
			const found = [...new Uint8Array(bytes)]
				.map((byte) => byte.toString(16).padStart(2, "0"))
				.join("");
			verdict.textContent =
				found === state.promise
					? " It is the one that was promised ✓"
					: " It is NOT the one that was promised!";
		});
		return h(
			"span",
			`The secret of the dice was ${state.secret}, its promise ${state.promise}.`,
			verdict,
		);
	}

	function details() {
		typing.hidden = state.over || !state.mine.length;
		const old = bench.aside.querySelector(".rolls");
		if (state.rolls.length && state.plies.length) bench.aside.append(rolls());
		old?.remove();
	}

	/** @param {KeyboardEvent} event */
	function key(event) {
		if (isTaken(event)) return;
		if (event.key === "h") hint();
		else if (event.key === "u" && state.may_undo) undo();
		else if (event.key === "r" && state.may_redo) redo();
		else bench.key(event);
	}

	put(main, h("h1.unseen", game.title), bench.element);
	bench.moves(state.plies);
	pictures.set(latest(), state.view);
	const [reviewed, found] = recall("reviews", id) ?? [];
	if (state.over && reviewed === words().join(" ")) showReview(found);
	await refresh();
	addEventListener("keydown", key);
	const stop = listen(
		{ do: "watch", table: id, searches: canSearch },
		{ part: take, error: (problem) => toast(problem) },
		true,
	);
	return () => {
		stop();
		search?.();
		reviewing?.();
		opponent?.();
		removeEventListener("keydown", key);
	};
}
