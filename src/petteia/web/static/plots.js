// @ts-check
// Small pictures of results: scores with intervals, tests, ratings, scores over time.

import { h, percent, s, scrolled, table } from "./dom.js";

/** @import { Rating } from "./messages.js" */

/** A score with its interval. @param {{score: number, interval: [number, number]}} known */
export const spread = ({ score, interval: [low, high] }) =>
	`${percent(score, 1)}, 95 % interval ${percent(low, 1)} to ${percent(high, 1)}`;

/**
 * A score with its 95 % interval on a line from 0 to 100 %.
 * @param {number} score
 * @param {[number, number]} interval
 */
export function scoreLine(score, interval) {
	const x = (/** @type {number} */ share) => 10 + 280 * share;
	return s(
		"svg.plot.score-line",
		{
			viewBox: "-8 0 318 34",
			role: "img",
			"aria-label": `score ${spread({ score, interval })}`,
		},
		s("line.axis", { x1: 10, x2: 290, y1: 14, y2: 14 }),
		[0, 0.25, 0.5, 0.75, 1].map((share) =>
			s(
				"g",
				s("line.axis", { x1: x(share), x2: x(share), y1: 10, y2: 18 }),
				s("text", { x: x(share), y: 31, "font-size": 9 }, `${100 * share} %`),
			),
		),
		s("line.interval", { x1: x(interval[0]), x2: x(interval[1]), y1: 14, y2: 14 }),
		s("circle.estimate", { cx: x(score), cy: 14, r: 6 }),
	);
}

/**
 * How far a sequential test is between its bounds.
 * @param {{llr: number, bounds: [number, number], decision: string, hypotheses: [number, number]}}
 *   test
 */
export function testBar(test) {
	const [low, high] = test.bounds;
	const x = (/** @type {number} */ llr) =>
		10 + (280 * (Math.max(low, Math.min(high, llr)) - low)) / (high - low);
	const words =
		{
			continue: "not decided yet",
			"accept H0": `accepts ${test.hypotheses[0]} Elo`,
			"accept H1": `accepts ${test.hypotheses[1]} Elo`,
		}[test.decision] ?? test.decision;
	return h(
		"figure.test",
		s(
			"svg.plot",
			{ viewBox: "0 0 300 24", role: "img", "aria-label": `sequential test: ${words}` },
			s("rect.track", { x: 10, y: 6, width: 280, height: 12, rx: 6 }),
			s("line.axis", { x1: x(0), x2: x(0), y1: 2, y2: 22 }),
			s("rect.llr", {
				x: Math.min(x(0), x(test.llr)),
				y: 6,
				width: Math.abs(x(test.llr) - x(0)),
				height: 12,
			}),
		),
		h(
			"figcaption",
			`Sequential test, ${test.hypotheses.join(" against ")} Elo: ${words}; `,
			`log-likelihood ratio ${test.llr.toFixed(2)} between ${low.toFixed(2)} and ${high.toFixed(2)}`,
		),
	);
}

/** Ratings with their 95 % intervals, the strongest first. @param {Rating[]} ratings */
export function ratingPlot(ratings) {
	const low = Math.min(...ratings.map((each) => each.rating - 2 * each.error)),
		high = Math.max(...ratings.map((each) => each.rating + 2 * each.error));
	const x = (/** @type {number} */ elo) => 4 + (192 * (elo - low)) / Math.max(1, high - low);
	return scrolled(
		"ratings",
		table(
			["agent", "league", "rating", "± s.e.", "games", "95 % interval"],
			ratings.map((each) => [
				each.agent,
				each.league,
				each.rating.toFixed(0),
				each.error.toFixed(0),
				each.games,
				s(
					"svg.plot.whisker",
					{ viewBox: "0 0 200 16", "aria-hidden": "true" },
					s("line.axis", { x1: x(0), x2: x(0), y1: 0, y2: 16 }),
					s("line.interval", {
						x1: x(each.rating - 1.96 * each.error),
						x2: x(each.rating + 1.96 * each.error),
						y1: 8,
						y2: 8,
					}),
					s("circle.estimate", { cx: x(each.rating), cy: 8, r: 4.5 }),
				),
			]),
			"ratings",
		),
	);
}

/**
 * A picture of scores in the order of time.
 * @param {string} caption
 * @param {number[]} marked scores that have a line of their own
 * @param {number} count of places
 * @param {(x: (i: number) => number, y: (score: number) => number) => any[]} content
 */
function scorePlot(caption, marked, count, content) {
	const low = Math.min(...marked),
		high = Math.max(...marked, low + 0.01);
	const x = (/** @type {number} */ i) =>
			Number((40 + (550 * i) / Math.max(1, count - 1)).toFixed(1)),
		y = (/** @type {number} */ score) =>
			Number((10 + (130 * (high - score)) / (high - low)).toFixed(1));
	return h(
		"figure",
		s(
			"svg.plot.over-time",
			{ viewBox: "0 0 600 165", role: "img", "aria-label": caption },
			marked.map((score) =>
				s(
					"g",
					s("line.axis", { x1: 40, x2: 590, y1: y(score), y2: y(score) }),
					s("text.left", { x: 36, y: y(score) + 4, "font-size": 11 }, percent(score)),
				),
			),
			content(x, y),
			s("text", { x: 315, y: 160, "font-size": 11 }, `1 to ${count}`),
		),
		h("figcaption", caption),
	);
}

/**
 * The mean score over the pairs of a series, with the band of its 95 % interval.
 * @param {[number, number, number][]} course mean, low and high after some pairs
 */
export function overTime(course) {
	if (course.length < 2) return null;
	return scorePlot(
		"Mean score of the first agent with its 95 % interval, in the order of play",
		[0, 0.5, 1],
		course.length,
		(x, y) => {
			const line = (/** @type {number} */ which) =>
				course.map((each, i) => `${x(i)} ${y(each[which])}`);
			return [
				s("path.band", { d: `M${line(2).join("L")}L${line(1).reverse().join("L")}Z` }),
				s("path.trace", { d: `M${line(0).join("L")}` }),
			];
		},
	);
}

/** What an interval of a score says about who is stronger. @param {[number, number]} interval */
export const verdict = ([low, high]) =>
	low > 0.5
		? "the first is the stronger"
		: high < 0.5
			? "the second is the stronger"
			: "not clear yet who is the stronger";

/**
 * A cell whose shade is deeper the farther its value is from nothing.
 * @param {string} text
 * @param {number | null} deep from -1 to 1
 */
export function shaded(text, deep) {
	const cell = h(
		"span",
		{ class: deep === null ? null : deep < 0 ? "deep less" : "deep more" },
		text,
	);
	if (deep !== null) cell.style.setProperty("--deep", String(Math.abs(deep)));
	return cell;
}

/** Scores of rows against columns. @param {string[]} agents @param {(number | null)[][]} scores */
export const crossTable = (agents, scores) =>
	scrolled(
		"cross table",
		table(
			["agent", ...agents.map((_, i) => String(i + 1))],
			agents.map((agent, i) => [
				`${i + 1}. ${agent}`,
				...scores[i].map((score) =>
					score === null ? "" : shaded((100 * score).toFixed(0), 2 * score - 1),
				),
			]),
			"cross",
			"Scores in %, row against column",
		),
	);

/**
 * A search for weights: every candidate as a dot, those from which it went on as a line.
 * @param {[number, boolean][]} marks
 */
export function searchPlot(marks) {
	if (marks.length < 2) return null;
	const scores = marks.map(([score]) => score);
	return scorePlot(
		"Scores of the candidates in the order of the search; the line joins those from which it went on",
		[Math.min(...scores), Math.max(...scores)],
		marks.length,
		(x, y) => {
			const kept = marks.flatMap(([score, isKept], i) => (isKept ? [`${x(i)} ${y(score)}`] : []));
			return [
				...marks.map(([score], i) => s("circle.candidate", { cx: x(i), cy: y(score), r: 2.5 })),
				kept.length ? s("path.trace", { d: `M${kept.join("L")}` }) : null,
			];
		},
	);
}
