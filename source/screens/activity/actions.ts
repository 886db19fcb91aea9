import type {CallRecord} from '../../service/call.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {
	createDetailActions,
	createListActions,
	createListScreen,
	type ListScreenDefinition,
} from '../list/screen.ts';
import type {Column} from '../list/table.tsx';
import {buildNamedRows, buildVerbatimNamedRows} from '../rows/rows.ts';
import {defineGlobalAction, withSelection} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {callList, createActivitySlice, formatCallPath, hasFailed} from './slice.ts';

export const goActivity: Action = defineGlobalAction(
	'go.activity',
	['9'],
	'go to the API calls of this session',
	{
		searchTerms: ['activity', 'history', 'log', 'requests', 'api calls', 'audit', 'calls', 'curl', 'quota'],
		run(app) {
			app.state().work.cancelReads();
			app.state().navigation.go('activity');
		},
	},
);

export const activityActions: readonly Action[] = [
	...createDetailActions(callList, ['path', 'request']),
	...createListActions(callList, 'filter calls by method, path, status or "failed"', [
		{
			shortcut: 'y',
			noun: 'the call as curl',
			hint: 'copy as curl',
			searchTerms: ['curl', 'copy request'],
			getText: ({curl}) => curl,
		},
	]),
	callList.defineAction('activity.explain', ['i'], 'explain why the call failed', {
		searchTerms: ['error', 'details', 'reason'],
		hint: 'why it failed',
		...withSelection(
			state => {
				const call = callList.getCurrentRow(state);
				return call && hasFailed(call) ? call.failure : undefined;
			},
			'this call did not fail',
			({state}, failure) => state().dialog.open({kind: 'failure', failure}),
		),
	}),
];

const formatStatus = (call: CallRecord): string => {
	const attempt = call.attempt > 1 ? ` (attempt ${call.attempt})` : '';
	return `${call.status ?? call.failed ?? 'failed'}${attempt}`;
};

const formatMilliseconds = ({milliseconds}: CallRecord): string => formatInteger(Math.round(milliseconds));

const columns: readonly Column<CallRecord>[] = [
	{title: 'TIME UTC', getWidth: () => 10, getText: ({at}) => new Date(at).toISOString().slice(11, 19)},
	{title: 'METHOD', isEssential: true, gap: 0, getWidth: () => 8, getText: ({method}) => method},
	{
		title: 'STATUS',
		isEssential: true,
		gap: 0,
		getWidth: () => 18,
		getText: (call, {marks}) => `${hasFailed(call) ? `${marks.failed} ` : ''}${formatStatus(call)}`,
		getLook: (call, {danger}) => (hasFailed(call) ? danger : {}),
	},
	{title: 'MS', gap: 0, getWidth: () => 7, align: 'right', getText: formatMilliseconds},
	{title: 'PATH', gap: 2, cut: 'middle', getText: formatCallPath},
];

export const activityScreen: ListScreenDefinition = createListScreen(callList, {
	buildPath: before => [...before, 'activity'],
	createSlice: createActivitySlice,
	buildDetail(data, width) {
		const call = callList.getSelected(data);
		if (!call) return [];
		return [
			...buildVerbatimNamedRows('path', `${call.method} ${call.path}`, width),
			...buildNamedRows('curl', call.curl, width, 'dim'),
			...buildNamedRows('status', `${formatStatus(call)} after ${formatMilliseconds(call)} ms`, width),
			...buildNamedRows('failure', hasFailed(call) ? call.failure?.message : undefined, width),
			...buildNamedRows('time', new Date(call.at).toISOString(), width),
			...buildNamedRows(
				'bytes',
				`${formatInteger(call.sentBytes)} sent, ${formatInteger(call.receivedBytes)} received`,
				width,
			),
			...buildNamedRows('ray', call.ray, width),
		];
	},
	view: {
		getColumns: () => columns,
		detailShare: 0.3,
		getDetailHint: () => ': enter',
		describeEmpty: () => 'No API calls in this session yet.',
		describeNoMatch: filter => `No matches for "${filter}" in method, path or status.`,
	},
	formatStatus: ({count}) => `${formatQuantity(count.all, 'call')}, ${count.failed} failed`,
});
