// @ts-check
// The clocks of two people: the server tells what is left to each, the page counts on.

import { h } from "./dom.js";

/** @import { ClockSeen } from "./messages.js" */

const LITTLE = 20; // seconds, of which every tenth is shown

/** Minutes and seconds. @param {number} left seconds */
const text = (left) => {
	const tenths = left < LITTLE ? Math.floor(10 * left) / 10 : Math.ceil(left);
	const seconds = (tenths % 60).toFixed(left < LITTLE ? 1 : 0);
	return `${Math.floor(tenths / 60)}:${seconds.padStart(left < LITTLE ? 4 : 2, "0")}`;
};

export class Clocks {
	/** @type {ClockSeen | null} */
	#told = null;
	#since = 0;
	#timer = 0;
	/** One for each side; empty without a clock. */
	faces = [0, 1].map(() => h("span.clock", { role: "timer", hidden: true }));

	/** What the server tells. @param {ClockSeen | null} told */
	follow(told) {
		this.#told = told;
		this.#since = performance.now();
		clearInterval(this.#timer);
		if (told?.running.length) this.#timer = window.setInterval(() => this.#show(), 100);
		this.#show();
	}

	#show() {
		const gone = (performance.now() - this.#since) / 1000;
		for (const [side, face] of this.faces.entries()) {
			face.hidden = !this.#told;
			if (!this.#told) continue;
			const runs = this.#told.running.includes(side),
				left = Math.max(0, this.#told.left[side] - (runs ? gone : 0));
			face.textContent = text(left);
			face.classList.toggle("runs", runs);
			face.classList.toggle("little", left < LITTLE);
		}
	}

	stop() {
		clearInterval(this.#timer);
	}
}

/** What two people can agree on: seconds for the game, and seconds that a move adds. */
export const TERMS = [
	["", "no clock"],
	["60 0", "1 minute each"],
	["180 2", "3 minutes each, 2 seconds a move"],
	["300 0", "5 minutes each"],
	["600 5", "10 minutes each, 5 seconds a move"],
	["1800 0", "30 minutes each"],
];
