// @ts-check
// A table: a game being played, followed live.

import { mixed } from "./analysis.js";
import { address, ask, game as findGame, lineAddress, listen, playerName } from "./api.js";
import { Bench, searchFacts, tool } from "./bench.js";
import { Clocks } from "./clock.js";
import {
	announce,
	attempt,
	button,
	capital,
	complain,
	dialog,
	explainWait,
	h,
	isTaken,
	keep,
	note,
	para,
	put,
	select,
	thinking,
	toast,
} from "./dom.js";
import { StandIn } from "./opponent.js";
import { lookAt, showReview } from "./review.js";
import { rolls } from "./rolls.js";
import { analyse, canSearch } from "./search.js";
import { inviteDialog, shareDialog } from "./share.js";
import { sound } from "./wishes.js";

/** @import { Analysis, ReviewShown, Table, View } from "./messages.js" */

/** The page of a table. @param {HTMLElement} main @param {URLSearchParams} given @param {string} id */
export async function tablePage(main, given, id) {
	const path = /** @type {const} */ (`/api/tables/${id}`),
		first = await ask(path);
	const game = await findGame(first.game);
	const kept = first.over ? (await ask(`${path}/review`)).review : null;
	let state = first;
	/** the position that is shown; below 0 the last */
	let at = given.has("at") ? Number(given.get("at")) : -1;
	/** @type {Map<number, View>} */
	const pictures = new Map();
	/** @type {(() => void) | null} */
	let search = null;
	/** @type {(() => void) | null} */
	let reviewing = null;
	/** @type {ReviewShown | null} */
	let reviewed = null;
	const stand = new StandIn(path, id),
		clocks = new Clocks();
	let drawn = "";

	const bench = new Bench({
		names: first.names,
		home: game.home,
		army: game.army,
		marks: game.marks,
		onMove: (action) => move(action.move),
		onGo: go,
		onPart: () => tools(),
		why: () => {
			if (at >= 0) return "this is an earlier position; » goes back to the game";
			if (state.over) return "the game is over";
			return state.mine.length ? "it is not your turn" : "you are watching";
		},
	});
	const side = first.mine[0] ?? first.players.indexOf("person");
	bench.board.flip = side >= 0 && game.turns_board && game.home !== side;

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
	const finale = h("div.finale", { hidden: true });
	bench.buttons.after(finale);
	if (game.reminder) bench.status.after(note(game.reminder));
	bench.aside.append(watching, typing);

	const latest = () => state.plies.length;
	const people = () => state.players.filter((who) => who === "person").length;
	const words = () => state.plies.map((ply) => ply.word);

	/** @param {string} text */
	async function move(text) {
		if (bench.element.dataset.turn === "sent") return; // the answer to the last is on its way
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

	const undo = () => bench.board.back() || act(() => ask(`${path}/undo`, {}));
	const redo = () => act(() => ask(`${path}/redo`, {}));

	/** The table has changed. @param {Table} fresh */
	function take(fresh) {
		if (fresh.serial < state.serial) return;
		if (canSearch) stand.follow(fresh);
		const grown = fresh.plies.length > state.plies.length;
		const before = state;
		state = fresh;
		clocks.follow(fresh.clock);
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
			if (fresh.over && !before.over) sound("over");
			if (at === latest()) at = -1;
		}
		pictures.set(latest(), fresh.view);
		// Who takes a seat sits at the bottom of the board.
		if (
			before.mine.join() !== fresh.mine.join() &&
			fresh.mine.length === 1 &&
			game.turns_board &&
			bench.board.flip !== (game.home !== fresh.mine[0])
		)
			bench.turn();
		refresh();
	}

	/**
	 * The moves that the visitor can make in a picture, and what to say about it.
	 * @param {View} picture
	 * @param {boolean} live whether it is the last
	 */
	function choices(picture, live) {
		const chooser = chooserNow();
		if (live && state.kind === "simultaneous" && chooser !== undefined) {
			// A person need not wait for the other to have chosen.
			const name = capital(state.names[chooser]);
			// What the game itself says first, such as the prize, is worth knowing.
			const [told, both] = state.status.split(": both choose");
			return {
				actions: picture.choices?.[chooser] ?? [],
				status: `${both === undefined ? "" : `${capital(told)}: `}${name}, choose in secret; both moves are shown together`,
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
			clocks.faces,
		);
		bench.status.classList.toggle("over", live && state.over);
		bench.status.classList.toggle("wait", live && state.thinking);
		const asked = state;
		if (state.thinking)
			explainWait(
				() => bench.element.isConnected && state.thinking && state.serial === asked.serial,
			);
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
		return attempt(refresh);
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
		reviewed = null;
		[bench.judged, bench.thrown] = [new Map(), new Map()];
		bench.graph.hidden = true;
		bench.close("review");
	}

	/** Shows a whole review. @param {ReviewShown} found */
	function present(found) {
		reviewed = found;
		const unseen = words().length - found.judged.length - found.thrown.length;
		showReview(bench, found, unseen, (from) => again(from));
	}

	/** The review that there is, or a new one. */
	function review() {
		endSearch();
		if (reviewed) return present(reviewed);
		put(bench.extra, note("Looking at every move …"));
		reviewing = lookAt(
			bench,
			{ do: "review", game: state.game, start: state.start, moves: words(), table: id },
			(found) => {
				reviewing = null;
				put(bench.extra);
				present(found);
				announce("The review is ready");
			},
			(problem) => {
				forgetReview();
				put(bench.extra);
				toast(problem);
			},
		);
	}

	/** The next stronger opponent, after a game that the visitor has won. */
	function stronger() {
		const [mine] = state.mine;
		if (!state.over || people() !== 1 || outcome() !== 1) return null;
		const now = game.levels.findIndex((level) => level.agent === state.players[1 - mine]);
		return now < 0 ? null : (game.levels[now + 1] ?? null);
	}

	/**
	 * A new game with the first moves of this one.
	 * @param {number} from
	 * @param {string} [agent] in place of the opponent
	 */
	async function again(from, agent) {
		const [one, two] = state.players.map((who) => (who === "person" ? who : (agent ?? who)));
		const level = game.levels.findIndex((each) => each.agent === agent);
		if (level >= 0) keep("levels", game.name, level);
		const fresh = await ask("/api/tables", {
			game: state.game,
			players: [one, two],
			start: state.start,
			moves: words().slice(0, from),
			seed: from ? state.seed : null,
			secret: from ? state.secret : "",
			searches: canSearch,
			clock: people() === 2 ? state.terms : null,
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
			(state.may_undo || bench.board.made.length > 0) &&
				tool("Undo", "Take your last move back, or a part of it", undo, "u"),
			state.may_redo && tool("Redo", "Play it again", redo, "r"),
			tool("Rules", "How the game is played", () => attempt(() => bench.rules(state.game))),
			tool("Flip", "Turn the board around", () => bench.turn(), "f"),
			playing && tool("Resign", "Give up", confirmResign),
			playing &&
				state.mine.length > 1 &&
				tool("Invite", "A friend for the other seat, or a class", invite),
			tool("More", "Analyse, share, save", more),
		);
		finale.hidden = !state.over;
		if (state.over) ended();
	}

	/** What the visitor has won: 1, 0 or -1; nothing for who only watched, or played both. */
	function outcome() {
		const [mine, other] = state.mine,
			result = state.result ?? 0;
		return mine === undefined || other !== undefined ? null : Math.sign(mine ? -result : result);
	}

	/** The end of a game: how it ended for the visitor, and what comes next. */
	function ended() {
		const won = outcome(),
			next = stronger();
		finale.classList.toggle("won", won === 1);
		put(
			finale,
			h("b", won === null ? "The game is over" : ["You lose", "A draw", "You win!"][won + 1]),
			h(
				"p.card-tools",
				button("Review", review, "primary", { title: "Look at every move of the game" }),
				button("New game", () => again(0), "", { title: "The same again" }),
				next &&
					button(`Next: ${next.title}`, () => again(0, next.agent), "", {
						title: "The same against the next stronger",
					}),
			),
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

	function invite() {
		const player = bench.board.flip ? game.home : 1 - game.home,
			[agent] = state.players.filter((who) => who !== "person");
		const seat =
			state.mine.length > 1 && !state.over
				? () => act(() => ask(`${path}/leave`, { player }))
				: null;
		const own = lineAddress("new", lineHere(), { agent });
		attempt(() => inviteDialog({ seat, seatName: state.names[player], own }));
	}

	/** What was played up to the position that is shown. */
	const lineHere = () => ({
		game: state.game,
		start: state.start,
		moves: words().slice(0, at < 0 ? latest() : at),
	});

	const more = () =>
		attempt(async () => {
			const line = lineHere(),
				link = lineAddress("analyse", line);
			const change = (/** @type {string} */ agent) => {
				const [first, second] = state.players.map((who) => (who === "person" ? who : agent));
				act(() => ask(`${path}/players`, { players: [first, second] }));
				box.close();
			};
			const box = await shareDialog(
				{ ...line, players: state.players },
				link,
				bench.board.flip,
				h(
					"p.card-tools",
					h("a.button", { href: link }, "Analyse this position"),
					button("Invite others", invite),
				),
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

	function details() {
		typing.hidden = state.over || !state.mine.length;
		const old = bench.aside.querySelector(".rolls");
		if (state.rolls.length && state.plies.length)
			bench.aside.append(rolls(state, old?.open ?? false));
		old?.remove();
	}

	/** @param {KeyboardEvent} event */
	function key(event) {
		if (isTaken(event)) return;
		if (event.key === "h") hint();
		else if (event.key === "u" && (state.may_undo || bench.board.made.length)) undo();
		else if (event.key === "r" && state.may_redo) redo();
		else bench.key(event);
	}

	put(main, h("h1.unseen", game.title), bench.element);
	bench.moves(state.plies);
	pictures.set(latest(), state.view);
	clocks.follow(state.clock);
	await refresh();
	if (kept) present(kept);
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
		stand.stop();
		clocks.stop();
		removeEventListener("keydown", key);
	};
}
