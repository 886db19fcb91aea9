import type {Frame} from '../terminal/screen/cells.ts';
import {cellHeight, figure} from './grid.ts';
import {drawFrame, drawRows, drawWindow, type Picture} from './svg.ts';

/** A frame and how long it is shown. */
export type Shot = {readonly frame: Frame; readonly seconds: number};

type Drawn = {readonly rows: readonly string[]; readonly seconds: number};

/** Merges equal shots in a row into one that is shown as long as all of them. */
function differing(shots: readonly Shot[], picture: Picture): Drawn[] {
	const drawn: Drawn[] = [];
	for (const {frame, seconds} of shots) {
		const rows = drawRows(frame, picture.theme);
		const last = drawn.at(-1);
		if (last && last.rows.join('\n') === rows.join('\n')) {
			drawn[drawn.length - 1] = {rows, seconds: last.seconds + seconds};
		} else {
			drawn.push({rows, seconds});
		}
	}
	return drawn;
}

/**
 * Several shots as one picture that moves and repeats. Each distinct row is in it once. Readers who prefer reduced
 * motion, and viewers that cannot animate, show the last shot.
 */
export function drawAnimation(shots: readonly Shot[], picture: Picture): string {
	const drawn = differing(shots, picture);
	const [only] = shots;
	if (drawn.length === 1 && only) return drawFrame(only.frame, picture);

	const known = new Map<string, string>();
	const nameOf = (row: string): string => {
		const name = known.get(row) ?? `r${known.size}`;
		known.set(row, name);
		return name;
	};
	const frames = drawn.map(({rows}, index) => {
		const uses = rows
			.map((row, number) => row && `<use href="#${nameOf(row)}" y="${number * cellHeight}"/>`)
			.filter(use => use !== '');
		return `<g class="f f${index}">${uses.join('')}</g>`;
	});

	const total = drawn.reduce((sum, {seconds}) => sum + seconds, 0);
	let passed = 0;
	const moments = drawn.map(({seconds}, index) => {
		const from = figure((passed / total) * 100);
		passed += seconds;
		const until = figure((passed / total) * 100);
		const before = index === 0 ? '' : '0%{visibility:hidden}';
		const after = index === drawn.length - 1 ? '' : `${until}%{visibility:hidden}`;
		return `@keyframes k${index}{${before}${from}%{visibility:visible}${after}100%{visibility:${after ? 'hidden' : 'visible'}}}.f${index}{animation-name:k${index}}`;
	});
	const css = [
		'.f{visibility:hidden}',
		`.f${drawn.length - 1}{visibility:visible}`,
		'@media (prefers-reduced-motion:no-preference){',
		`.f{animation-duration:${figure(total)}s;animation-timing-function:step-end;animation-iteration-count:infinite}`,
		...moments,
		'}',
	].join('');
	const rows = [...known].map(([row, name]) => `<g id="${name}">${row}</g>`);
	const columns = Math.max(...shots.map(({frame}) => frame.columns));
	const height = Math.max(...shots.map(({frame}) => frame.rows.length));
	return drawWindow(
		columns,
		height,
		picture,
		[`<defs>${rows.join('\n')}</defs>`, ...frames].join('\n'),
		`<style>${css}</style>`,
	);
}
