import type {CallRecord} from '../../service/call.ts';
import {getOutcome} from '../../service/outcome.ts';
import type {Slice} from '../../store/slice.ts';
import {declareList, type ListMembers} from '../list/declared.ts';
import {emptyList} from '../list/list.ts';
import {createList, type ListWithDetailState} from '../list/slice.ts';

/** Maximum number of calls kept. */
const maxCalls = 1000;

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly activity: ActivitySlice;
	}
}

/** Calls of this run, latest first. */
type ActivityState = ListWithDetailState<CallRecord> & {
	/** Totals, including calls no longer kept. */
	readonly count: {readonly all: number; readonly failed: number};
};

type ActivitySlice = ListMembers<ActivityState> & {
	readonly data: ActivityState;
	record(call: CallRecord): void;
	/** Shows the detail of the current call from row `top`; undefined returns to the list. */
	showDetail(top: number | undefined): void;
};

/** The calls, found by what the list shows: method, path, status, or error. */
export const callList = declareList({
	getSlice: state => state.activity,
	screen: 'activity',
	group: 'Calls',
	id: 'activity',
	rowLabel: 'call',
	getKey: (call: CallRecord) => call,
	getTexts: call => [
		call.method,
		formatCallPath(call),
		String(call.status ?? ''),
		call.failed,
		hasFailed(call) ? 'failed' : undefined,
	],
});

export const createActivitySlice: Slice<ActivitySlice> = (set, get) => {
	const {change, show, move, filter, showDetail} = createList(callList, () => get().activity.data, set);
	return {
		data: {...emptyList, reading: 'read', count: {all: 0, failed: 0}},
		record(call) {
			const {rows, count, cursor, detail} = get().activity.data;
			const part = {
				rows: [call, ...rows.slice(0, maxCalls - 1)],
				count: {all: count.all + 1, failed: count.failed + (hasFailed(call) ? 1 : 0)},
			};
			// The cursor stays on its call while newer ones arrive, unless it is on the latest.
			if (cursor === 0 && detail === undefined) change(part);
			else show(part);
		},
		move,
		filter,
		showDetail,
	};
};

/** Formats the path as the list shows it: without the prefix shared by all key-value paths. */
export const formatCallPath = ({path}: CallRecord): string =>
	path.replace(/^\/accounts\/[^/?]+\/storage\/kv\/namespaces(?=\/)/, '…');

/**
 * True if a call failed. These are answers: a key or an entry point does not exist (ledge asks for a key before
 * writes, and a zone has no entry point until its first rule), or the plan of the zone lacks what is read.
 */
export const hasFailed = ({method, path, status, failure}: CallRecord): boolean => {
	if (!failure) return status === undefined || status >= 400;
	const isAnswer =
		failure.code === 'key_not_found' ||
		(method === 'GET' &&
			((failure.code === 'not_found' && path.endsWith('/entrypoint')) ||
				(status === 403 && getOutcome(failure) === 'refused')));
	return !isAnswer;
};
