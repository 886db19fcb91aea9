import type {Frame} from '../terminal/screen/cells.ts';
import {cellHeight, formatSvgNumber} from './grid.ts';
import {drawFrame, drawRows, drawWindow, type Picture} from './svg.ts';

/** A frame and how long it is shown. */
export type Shot = {readonly frame: Frame; readonly seconds: number};

type DrawnShot = {readonly rows: readonly string[]; readonly seconds: number};

/** Merges equal shots in a row into one that is shown as long as all of them. */
function mergeEqualShots(shots: readonly Shot[], picture: Picture): DrawnShot[] {
	const drawn: DrawnShot[] = [];
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
 * What a line of the picture shows unchanged, from the shot with index `from` until before that with `until`.
 */
type Run = {readonly row: string; readonly line: number; readonly from: number; readonly until: number};

function listRuns(drawn: readonly DrawnShot[], lines: number): Run[] {
	return Array.from({length: lines}, (_, line) => {
		const runs: Run[] = [];
		for (const [shotIndex, {rows}] of drawn.entries()) {
			const row = rows[line] ?? '';
			const last = runs.at(-1);
			if (last?.row === row) runs[runs.length - 1] = {...last, until: shotIndex + 1};
			else runs.push({row, line, from: shotIndex, until: shotIndex + 1});
		}
		return runs.filter(({row}) => row !== '');
	}).flat();
}

/**
 * Several shots as one picture that moves and repeats. Each distinct row is defined once, and
 * referred to once for each time that it is shown.
 * Readers who prefer reduced motion, and viewers that cannot animate, show the last shot.
 */
export function drawAnimation(shots: readonly Shot[], picture: Picture): string {
	const drawn = mergeEqualShots(shots, picture);
	const [onlyShot] = shots;
	if (drawn.length === 1 && onlyShot) return drawFrame(onlyShot.frame, picture);
	const columns = Math.max(...shots.map(({frame}) => frame.columns));
	const lines = Math.max(...shots.map(({frame}) => frame.rows.length));

	const total = drawn.reduce((sum, {seconds}) => sum + seconds, 0);
	const startTimes = drawn.map((_, at) => drawn.slice(0, at).reduce((sum, {seconds}) => sum + seconds, 0));
	const percent = (shotIndex: number): string =>
		`${formatSvgNumber(((startTimes[shotIndex] ?? total) / total) * 100)}%`;

	const namesByRow = new Map<string, string>();
	const nameOf = (row: string): string => {
		const name = namesByRow.get(row) ?? `r${namesByRow.size}`;
		namesByRow.set(row, name);
		return name;
	};
	const runsByInterval = Map.groupBy(listRuns(drawn, lines), ({from, until}) => `${from}-${until}`);
	const keyframes: string[] = [];
	const groups = [...runsByInterval.values()].map(([first, ...others]) => {
		if (!first) return '';
		const uses = [first, ...others]
			.map(({row, line}) => `<use href="#${nameOf(row)}" y="${line * cellHeight}"/>`)
			.join('');
		const isFirst = first.from === 0;
		const isLast = first.until === drawn.length;
		if (isFirst && isLast) return uses;
		const name = `k${keyframes.length}`;
		keyframes.push(
			[
				`@keyframes ${name}{`,
				isLast ? '0%{visibility:hidden}' : '',
				`${percent(first.from)}{visibility:visible}`,
				isLast ? '' : `${percent(first.until)}{visibility:hidden}`,
				'}',
			].join(''),
		);
		return `<g class="${isLast ? 'm' : 'm h'}" style="animation-name:${name}">${uses}</g>`;
	});

	const css = [
		'.h{visibility:hidden}',
		'@media (prefers-reduced-motion:no-preference){',
		`.m{animation-duration:${formatSvgNumber(total)}s;animation-timing-function:step-end;animation-iteration-count:infinite}`,
		...keyframes,
		'}',
	].join('');
	const rows = [...namesByRow].map(([row, name]) => `<g id="${name}">${row}</g>`);
	return drawWindow(
		columns,
		lines,
		picture,
		[`<defs>${rows.join('\n')}</defs>`, ...groups].join('\n'),
		`<style>${css}</style>`,
	);
}
