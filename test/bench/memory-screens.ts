import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {type Ground, megabytesRow} from './memory-jobs.ts';
import type {Row} from './row.ts';
import {peakOnScreen, type Step} from './screens.ts';

type Task = {readonly what: string; readonly words: readonly string[]; readonly steps: readonly Step[]};

const tasks = (count: string): readonly Task[] => {
	const openFull = [
		{key: 'enter', shows: 'MINE'},
		{key: 'enter', shows: 'session:'},
	];
	return [
		{
			what: 'the list of keys of local data: to its end, back, and a filter',
			words: ['--local'],
			steps: [
				...openFull,
				{key: 't', shows: `${count} keys`},
				{key: 'end', shows: /999999|019999/},
				{key: 'home', shows: '00000000'},
				{key: '/'},
				{key: '9'},
				{key: '9'},
				{key: 'enter'},
				{key: 'pagedown'},
			],
		},
	];
};

/** The large screens in a terminal: the peak of what ledge takes there. */
export async function* memoryScreenRows(
	{folder, project, env, count}: Ground,
	only: string,
): AsyncGenerator<Row> {
	for (const {what, words, steps} of tasks(String(count))) {
		if (!what.includes(only)) continue;
		mkdirSync(join(folder, 'home'), {recursive: true});
		const begun = performance.now();
		const peak = await peakOnScreen({words, cwd: project, env, ready: 'Local data', leave: ['q']}, steps);
		yield megabytesRow(`${what}, ${count} keys`, peak, `${Math.round((performance.now() - begun) / 1000)} s`);
	}
}
