import type {CallRecord} from '../../service/call.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {findTextMatches, type TextMatches} from '../../text/smart-case.ts';
import {findCursor, moveCursor} from '../list/list.ts';

/** Maximum number of calls kept. */
const maxCalls = 1000;

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly activity: ActivitySlice;
	}
}

type ActivitySlice = {
	/** Calls of this run, latest first. */
	readonly calls: readonly CallRecord[];
	/** Totals, including calls no longer kept. */
	readonly count: {readonly all: number; readonly failed: number};
	/** Index among the filtered calls. */
	readonly cursor: number;
	readonly filterText: string;
	record(call: CallRecord): void;
	move(distance: number): void;
	filter(filter: string): void;
};

export const createActivitySlice: Slice<ActivitySlice> = (set, get) => ({
	calls: [],
	count: {all: 0, failed: 0},
	cursor: 0,
	filterText: '',
	record(call) {
		const {cursor} = get().activity;
		const selected = cursor === 0 ? undefined : getSelectedCall(get());
		set(({calls, count: callCount}) => ({
			calls: [call, ...calls.slice(0, maxCalls - 1)],
			count: {all: callCount.all + 1, failed: callCount.failed + (hasFailed(call) ? 1 : 0)},
		}));
		// The cursor stays on its call while newer ones arrive.
		if (selected) set({cursor: findCursor(listVisibleCalls(get()), one => one === selected, cursor)});
	},
	move: distance =>
		set({cursor: moveCursor(get().activity.cursor, distance, listVisibleCalls(get()).length)}),
	filter(callFilter) {
		const selected = getSelectedCall(get());
		set({filterText: callFilter});
		set({cursor: findCursor(listVisibleCalls(get()), call => call === selected, 0)});
	},
});

/** Formats the path as the list shows it: without the prefix shared by all key-value paths. */
export const formatCallPath = ({path}: CallRecord): string =>
	path.replace(/^\/accounts\/[^/?]+\/storage\/kv\/namespaces(?=\/)/, '…');

type Calls = StateWith<'activity', 'calls' | 'filterText'>;

/** Finds calls by what the list shows: method, path, status, or error. */
export const findCallMatches = ({activity: {calls, filterText}}: Calls): TextMatches<CallRecord> =>
	findTextMatches(calls, filterText, call => [
		call.method,
		formatCallPath(call),
		String(call.status ?? ''),
		call.failed,
		hasFailed(call) ? 'failed' : undefined,
	]);

export const listVisibleCalls = (state: Calls): readonly CallRecord[] => findCallMatches(state).rows;

export const getSelectedCall = (state: Calls & StateWith<'activity', 'cursor'>): CallRecord | undefined =>
	listVisibleCalls(state)[state.activity.cursor];

/**
 * True if a call failed. That a key or an entry point does not exist is an answer: ledge asks for a key before
 * writes, and a zone has no entry point until its first rule.
 */
export const hasFailed = ({method, path, status, failure}: CallRecord): boolean => {
	if (!failure) return status === undefined || status >= 400;
	const isAnswer =
		failure.code === 'key_not_found' ||
		(failure.code === 'not_found' && method === 'GET' && path.endsWith('/entrypoint'));
	return !isAnswer;
};
