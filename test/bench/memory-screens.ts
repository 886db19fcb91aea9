import {type BenchSetup, megabytesRow} from './memory-jobs.ts';
import type {Row} from './row.ts';
import {peakOnScreen, type Step} from './screens.ts';

type Task = {readonly what: string; readonly steps: readonly Step[]};

/** The tasks with their steps, on namespaces of `count` keys, a power of ten. */
function tasks(count: number): readonly Task[] {
	const last = String(count - 1).padStart(8, '0');
	const formattedCount = count.toLocaleString('en-US');
	const openKeys = [
		{key: 'enter', shows: 'MINE'},
		{key: 'enter', shows: 'profile'},
	];
	return [
		{
			what: 'the list of keys of local data: to its end, back, and a filter',
			steps: [
				...openKeys,
				{key: 't', shows: `${formattedCount} keys`},
				{key: 'end', shows: last},
				{key: 'home', shows: '00000000'},
				{key: '/'},
				{key: '9'},
				{key: '9'},
				{key: 'enter'},
				{key: 'pagedown'},
			],
		},
		{
			what: 'the comparison of local data, every key another one: to its end, back, and a filter',
			steps: [
				...openKeys,
				{key: '=', shows: 'All keys in the namespace'},
				{key: 'down', shows: '▸ All keys'},
				{key: 'enter', shows: 'or type another'},
				...[...'local:OTHERS'].map(key => ({key})),
				{key: 'enter', shows: `${formattedCount} differences · 0 the same`},
				{key: 'end'},
				{key: 'home'},
				{key: '/'},
				{key: '9'},
				{key: '9'},
				{key: 'enter'},
				{key: 'pagedown'},
			],
		},
	];
}

/** The large screens in a terminal: the peak of what ledge takes there. */
export async function* memoryScreenRows(
	{project, env, count}: BenchSetup,
	only: string,
): AsyncGenerator<Row> {
	for (const {what, steps} of tasks(count)) {
		if (!what.includes(only)) continue;
		const startTime = performance.now();
		const peak = await peakOnScreen(
			{words: ['--local'], cwd: project, env, ready: 'Local data', leave: ['q']},
			steps,
		);
		yield megabytesRow(
			`${what}, ${count} keys`,
			peak,
			`${Math.round((performance.now() - startTime) / 1000)} s`,
		);
	}
}
