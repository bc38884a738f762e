// @ts-check
// Small pictures of results: scores with intervals, tests, ratings, scores over time.

import { h, head, percent, s } from "./dom.js";

/** A score with its 95 % interval on a line from 0 to 100 %. @param {number} score @param {[number, number]} interval */
export function scoreLine(score, interval) {
	const x = (share) => 10 + 280 * share;
	return s("svg", { class: "plot score-line", viewBox: "-8 0 318 34", role: "img", "aria-label": `score ${percent(score, 1)}, 95 % interval ${percent(interval[0], 1)} to ${percent(interval[1], 1)}` },
		s("line", { class: "axis", x1: 10, x2: 290, y1: 14, y2: 14 }),
		[0, 0.25, 0.5, 0.75, 1].map((share) => s("g", {}, s("line", { class: "axis", x1: x(share), x2: x(share), y1: 10, y2: 18 }), s("text", { x: x(share), y: 31, "font-size": 9 }, `${100 * share} %`))),
		s("line", { class: "interval", x1: x(interval[0]), x2: x(interval[1]), y1: 14, y2: 14 }), s("circle", { class: "estimate", cx: x(score), cy: 14, r: 6 }));
}

/** How far a sequential test is between its bounds. @param {{llr: number, bounds: [number, number], decision: string, hypotheses: [number, number]}} test */
export function testBar(test) {
	const [low, high] = test.bounds;
	const x = (llr) => 10 + (280 * (Math.max(low, Math.min(high, llr)) - low)) / (high - low);
	const words = { continue: "not decided yet", "accept H0": `accepts ${test.hypotheses[0]} Elo`, "accept H1": `accepts ${test.hypotheses[1]} Elo` }[test.decision] ?? test.decision;
	return h("figure", { class: "test" }, s("svg", { class: "plot", viewBox: "0 0 300 24", role: "img", "aria-label": `sequential test: ${words}` },
		s("rect", { class: "track", x: 10, y: 6, width: 280, height: 12, rx: 6 }), s("line", { class: "axis", x1: x(0), x2: x(0), y1: 2, y2: 22 }),
		s("rect", { class: "llr", x: Math.min(x(0), x(test.llr)), y: 6, width: Math.abs(x(test.llr) - x(0)), height: 12 })),
	h("figcaption", {}, `Sequential test, ${test.hypotheses[0]} against ${test.hypotheses[1]} Elo: ${words}; log-likelihood ratio ${test.llr.toFixed(2)} between ${low.toFixed(2)} and ${high.toFixed(2)}`));
}

/** Ratings with their 95 % intervals, the strongest first. @param {{agent: string, rating: number, error: number, league: string, games: number}[]} ratings */
export function ratingPlot(ratings) {
	const low = Math.min(...ratings.map((each) => each.rating - 2 * each.error)), high = Math.max(...ratings.map((each) => each.rating + 2 * each.error));
	const x = (elo) => 4 + (192 * (elo - low)) / Math.max(1, high - low);
	return h("table", { class: "ratings" }, head(["league", "agent", "rating", "± s.e.", "95 % interval"]),
		h("tbody", {}, ratings.map((each) => h("tr", {}, h("td", {}, each.league), h("th", { scope: "row" }, each.agent), h("td", {}, each.rating.toFixed(0)), h("td", {}, each.error.toFixed(0)),
			h("td", {}, s("svg", { class: "plot whisker", viewBox: "0 0 200 16", "aria-hidden": "true" }, s("line", { class: "axis", x1: x(0), x2: x(0), y1: 0, y2: 16 }),
				s("line", { class: "interval", x1: x(each.rating - 1.96 * each.error), x2: x(each.rating + 1.96 * each.error), y1: 8, y2: 8 }), s("circle", { class: "estimate", cx: x(each.rating), cy: 8, r: 4.5 })))))));
}

/** The mean score over the games of a series, with the band of its 95 % interval. @param {number[]} scores in the order of play, two a pair */
export function overTime(scores) {
	/** @type {number[][]} */
	const means = [];
	let sum = 0, squares = 0;
	for (let i = 0; i + 1 < scores.length; i += 2) {
		const pair = (scores[i] + scores[i + 1]) / 2;
		sum += pair;
		squares += pair * pair;
		const n = i / 2 + 1, mean = sum / n;
		const half = n > 1 ? (1.96 * Math.sqrt(Math.max(squares / n - mean * mean, 0.25 / n) / (n - 1 || 1))) : 0.5;
		means.push([mean, Math.max(0, mean - half), Math.min(1, mean + half)]);
	}
	if (means.length < 2) return null;
	const x = (i) => 40 + (550 * i) / (means.length - 1), y = (share) => 10 + 130 * (1 - share);
	const line = (which) => means.map((each, i) => `${x(i).toFixed(1)} ${y(each[which]).toFixed(1)}`);
	return h("figure", {}, s("svg", { class: "plot over-time", viewBox: "0 0 600 165", role: "img", "aria-label": "mean score over the pairs of the series" },
		[0, 0.5, 1].map((share) => s("g", {}, s("line", { class: "axis", x1: 40, x2: 590, y1: y(share), y2: y(share) }), s("text", { class: "left", x: 34, y: y(share) + 4, "font-size": 11 }, `${100 * share} %`))),
		s("path", { class: "band", d: `M${line(2).join("L")}L${line(1).reverse().join("L")}Z` }), s("path", { class: "trace", d: `M${line(0).join("L")}` }),
		s("text", { x: 315, y: 160, "font-size": 11 }, `pairs 1 to ${means.length}`)), h("figcaption", {}, "Mean score of the first agent with its 95 % interval, pair by pair"));
}

/** Scores of rows against columns. @param {string[]} agents @param {(number | null)[][]} table */
export function crossTable(agents, table) {
	return h("div", { class: "scroll" }, h("table", { class: "cross" }, h("caption", {}, "Scores in %, row against column"),
		h("thead", {}, h("tr", {}, h("td", {}), h("td", {}), agents.map((_, i) => h("th", { scope: "col" }, i + 1)))),
		h("tbody", {}, agents.map((agent, i) => h("tr", {}, h("td", {}, i + 1), h("th", { scope: "row" }, agent), table[i].map((score) => {
			const cell = h("td", { class: score === null ? "" : score >= 0.5 ? "more" : "less" }, score === null ? "" : (100 * score).toFixed(0));
			if (score !== null) cell.style.setProperty("--deep", String(Math.abs(2 * score - 1)));
			return cell;
		}))))));
}
