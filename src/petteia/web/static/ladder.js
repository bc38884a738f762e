// @ts-check
// A ladder while it is played: the standings, which come again every few seconds.

import { ask } from "./api.js";
import { announce, capital, h, note, page, para, put, said, scrolled, table } from "./dom.js";

/** @import { LadderRow, LadderShown } from "./messages.js" */

const PAUSE = 3000;

/** @param {HTMLElement} main */
export async function ladderPage(main) {
	const place = h("div");
	page(main, "Ladder", place);
	let shown = "",
		before = "",
		timer = 0,
		isLeft = false;
	const look = async () => {
		try {
			const found = await ask("/api/ladder");
			const now = JSON.stringify(found);
			if (now !== shown) put(place, ...standings(found));
			shown = now;
			const first = found.rows.find(({ rank }) => rank === 1)?.name ?? "";
			if (first && before && first !== before) announce(`${first} leads`);
			before = first;
		} catch (error) {
			put(place, para(capital(said(error))));
			shown = "";
		}
		if (!isLeft) timer = setTimeout(look, PAUSE);
	};
	await look();
	return () => {
		isLeft = true;
		clearTimeout(timer);
	};
}

/** @param {LadderShown} found */
function standings(found) {
	const rated = found.rows.filter((row) => row.rating !== null);
	const waiting = found.rows.filter((row) => row.rating === null);
	const left = found.missing
		? `${found.missing} pairs of games are still to be played.`
		: "All games are played; whatever is handed in now begins new ones.";
	return [
		note(`${found.game}, ${found.pairs} pairs a meeting. ${left}`),
		scrolled(
			"Standings",
			table(
				["", "submission", "rating", "95 % interval", "points", "games", "forfeits", "late"],
				rated.map((row) => [
					row.rank ?? "–",
					link(row),
					signed(row.rating ?? 0),
					row.interval ? row.interval.map(signed).join(" to ") : "",
					row.points,
					row.games,
					row.forfeits,
					row.late,
				]),
				"ladder",
			),
		),
		waiting.length
			? scrolled(
					"Not ranked",
					table(
						["not ranked", "status", "why"],
						waiting.map((row) => [link(row), row.status, row.message || "has not played yet"]),
					),
				)
			: null,
		para(
			h("a", { href: "/ladder/index.html" }, "The site of the ladder"),
			" has the cross table and every game; ",
			h("a", { href: "/ladder/points.csv" }, "points.csv"),
			" is for a grade book.",
		),
	];
}

/** @param {LadderRow} row */
const link = (row) => h("a", { href: row.page }, row.name);

/** @param {number} rating */
const signed = (rating) => `${rating <= -0.5 ? "−" : "+"}${Math.abs(rating).toFixed(0)}`;
