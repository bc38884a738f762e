// @ts-check
// The throws of a game, and the promise that they were decided before it.

import { capital, folded, h, note, table } from "./dom.js";

/** @import { Table } from "./messages.js" */

/**
 * All throws so far: how often each came, who threw what, and where they come from.
 * @param {Table} state
 * @param {boolean} open whether it is unfolded
 */
export function rolls(state, open) {
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
		note(`Seed ${state.seed}. `, dicePromise(state)),
	);
	box.classList.add("rolls");
	box.open = open;
	return box;
}

/** Where the dice come from, and how to check it. @param {Table} state */
function dicePromise(state) {
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
