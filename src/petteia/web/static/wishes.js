// @ts-check
// What a visitor wishes of every page: motion or not, sounds or not.

import { h } from "./dom.js";

const less = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether pieces glide and dice roll; as the system says, until the visitor chooses. */
export const moves = () =>
	(localStorage.getItem("motion") ?? (less.matches ? "off" : "on")) === "on";

/** Whether the page makes sounds; not until the visitor wishes it. */
const sounds = () => localStorage.getItem("sound") === "on";

/** What happens sounds so: pitches in Hz, one after the other. @type {Record<string, number[]>} */
const TUNES = { move: [330], capture: [247, 196], roll: [520, 440, 580], over: [392, 494, 587] };
/** @type {AudioContext | null} */
let audio = null;

/** A short sound, if the visitor wishes it. @param {keyof TUNES} what */
export function sound(what) {
	if (!sounds()) return;
	audio ??= new AudioContext();
	for (const [i, pitch] of TUNES[what].entries()) {
		const tone = audio.createOscillator(),
			loud = audio.createGain(),
			from = audio.currentTime + 0.09 * i;
		tone.type = "triangle";
		tone.frequency.value = pitch;
		loud.gain.setValueAtTime(0.12, from);
		loud.gain.exponentialRampToValueAtTime(0.001, from + 0.16);
		tone.connect(loud).connect(audio.destination);
		tone.start(from);
		tone.stop(from + 0.17);
	}
}

/** Lets style sheets know. */
export function obey() {
	document.documentElement.dataset.motion = moves() ? "on" : "off";
}

/** A switch for each. */
export const switches = () =>
	[
		{ key: "motion", words: "Motion: pieces glide, dice roll", now: moves() },
		{ key: "sound", words: "Sounds of moves, captures and dice", now: sounds() },
	].map(({ key, words, now }) =>
		h(
			"label.choice-row",
			h("input", {
				type: "checkbox",
				checked: now,
				onchange: (event) => {
					localStorage.setItem(key, event.target.checked ? "on" : "off");
					obey();
				},
			}),
			words,
		),
	);
