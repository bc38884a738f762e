// @ts-check
// The rules in half a minute: the aim, every rule with a small picture, exercises to try.

import { address, ask, games } from "./api.js";
import { Board } from "./board.js";
import { colours } from "./figures.js";
import { announce, attempt, button, h, page, para, put } from "./dom.js";

/**
 * @import { ExerciseShown, LessonShown } from "./messages.js"
 * @typedef {LessonShown} Lesson
 * @typedef {ExerciseShown} Exercise
 */

/** How a game is played. @param {string} spec @returns {Promise<HTMLElement>} */
export async function lesson(spec) {
	const known = await ask(`/api/lesson?spec=${encodeURIComponent(spec)}`);
	return h(
		"div.lesson",
		{ ...colours(known.names) },
		para(h("b", known.aim)),
		known.rules.map((rule) => {
			const board = new Board({ names: known.names, still: true });
			board.flip = (rule.view.mover ?? known.home) !== known.home; // who moves sits below
			board.show({ ...rule.view, last: [] });
			board.layer({ arrows: rule.arrows.map((path) => ({ path, kind: "best" })) });
			board.asPicture();
			return h("figure.rule", board.element, h("figcaption", rule.text));
		}),
		known.exercises.length ? exercises(spec, known) : null,
	);
}

/** The exercises, one at a time. @param {string} spec @param {Lesson} known */
function exercises(spec, known) {
	const done = new Set(),
		box = h("section.exercise", { "aria-label": "exercises" });
	const show = (/** @type {number} */ number) => {
		const each = known.exercises[number],
			words = h("p.said", { role: "status" });
		const next = button("Next exercise", () => show(number + 1), "primary", { hidden: true });
		const board = new Board({
			names: known.names,
			onMove: (action) => attempt(() => play(action.move)),
		});
		board.flip = each.player !== known.home && !each.view.choices;
		const begin = () => board.show(each.view, { actions: moves(each) });
		async function play(/** @type {string} */ move) {
			const tried = await ask("/api/lesson/try", { game: spec, exercise: number, move });
			board.show(tried.view, { moved: [...tried.view.last] });
			if (tried.solved) done.add(number);
			put(words, tried.solved ? "✓ " : "", tried.words);
			words.classList.toggle("solved", tried.solved);
			again.hidden = tried.solved;
			next.hidden = !tried.solved || number + 1 === known.exercises.length;
			announce(tried.words);
			if (done.size === known.exercises.length)
				put(words, "✓ ", tried.words, " That was all: you know how to play.");
		}
		const again = button(
			"Try again",
			() => {
				again.hidden = true;
				put(words);
				begin();
			},
			"",
			{ hidden: true },
		);
		begin();
		put(
			box,
			h("h3", `Try it: ${number + 1} of ${known.exercises.length}`),
			para(each.task),
			board.element,
			words,
			h("p.card-tools", again, next),
		);
	};
	show(0);
	return box;
}

/** The moves of an exercise. @param {Exercise} exercise */
const moves = ({ view, player }) => view.choices?.[player] ?? view.actions;

/** The rules as a page of their own. @param {HTMLElement} main @param {URLSearchParams} given */
export async function rulesPage(main, given) {
	const all = (await games()).games,
		spec = given.get("game") || all[0].spec;
	const title = all.find((each) => each.spec === spec)?.title ?? spec;
	page(
		main,
		`${title}: how to play`,
		h("h2.unseen", "Rules"),
		h("div.lesson-page", await lesson(spec)),
		para(h("a.button.primary", { href: address("new", { game: spec }) }, "Play it")),
	);
}
