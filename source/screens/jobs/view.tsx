import {type ReactElement, useEffect} from 'react';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatDuration} from '../../terminal/progress.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle} from '../../text/cut.ts';
import {computePercent, formatInteger} from '../../text/figures.ts';
import {type Column, Table} from '../list/table.tsx';
import {Empty} from '../shell/empty.tsx';
import {describeWorkElsewhere} from '../shell/leaving.ts';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {refreshJobs} from './actions.ts';
import type {JobRow} from './row.ts';
import {
	buildJobRows,
	getNamespaceGoneReason,
	getSelectedJob,
	listRunningWrites,
	listVisibleJobs,
} from './slice.ts';

/** Builds the columns. Below 76 columns, the time is left out. */
const buildJobColumns = (columns: number, now: number): readonly Column<JobRow>[] => [
	{
		title: 'STATE',
		isEssential: true,
		getWidth: () => 12,
		getText({state, isPaused}, {marks}) {
			const stateMarks = {
				here: marks.now,
				running: marks.now,
				unfinished: marks.pending,
				done: marks.done,
				damaged: marks.failed,
			};
			return `${stateMarks[state]} ${state === 'here' ? (isPaused ? 'paused' : 'this run') : state}`;
		},
		getLook: ({state}, {current, warning, good, danger}) =>
			({here: current, running: current, unfinished: warning, done: good, damaged: danger})[state],
	},
	{
		title: 'DONE',
		gap: 0,
		align: 'right',
		getWidth: totalColumns => (totalColumns >= 100 ? 28 : 8),
		getText({done, total}) {
			const share = done === undefined || total === undefined ? '' : `${computePercent(done, total)}%`;
			const figures =
				done === undefined
					? ''
					: total === undefined
						? formatInteger(done)
						: `${formatInteger(done)}/${formatInteger(total)}`;
			return columns >= 100 ? `${figures}  ${share}` : share || figures;
		},
	},
	{
		title: 'WHEN',
		gap: 2,
		getWidth: totalColumns => (totalColumns >= 76 ? 12 : 0),
		getText: ({updated}) => (updated === undefined ? '' : formatAgo(now - updated)),
		getLook: () => 'dim',
	},
	{title: 'WHAT', gap: 2, cut: 'middle', getText: ({name}) => name},
];

/** The Jobs screen: work that is running, interrupted or done. */
export function Jobs(): ReactElement {
	const state = useLedge(state => state);
	const jobs = state.jobs.data;
	const {viewport} = state.navigation;
	const jobRows = buildJobRows(state);
	const visibleRows = listVisibleJobs(state);
	useJobRefresh(jobRows.some(({state}) => state === 'running'));
	if (jobRows.length === 0) return <Empty {...describeNoJobs(state)} />;
	if (visibleRows.length === 0)
		return <Empty title={`No matches for "${jobs.filter}".`} next="esc clears the filter" />;
	return (
		<Table columns={buildJobColumns(viewport.columns, Date.now())} rows={visibleRows} cursor={jobs.cursor} />
	);
}

/** Milliseconds between two reads while another process works on a job. */
const refreshIntervalMs = 3000;

/** Reads the jobs when the screen opens, then regularly while another process may change them. */
function useJobRefresh(mayChange: boolean): void {
	const app = useApp();
	useEffect(() => void refreshJobs(app), [app]);
	useEffect(() => {
		if (!mayChange) return;
		const timer = setInterval(() => void refreshJobs(app), refreshIntervalMs);
		return () => clearInterval(timer);
	}, [app, mayChange]);
}

function formatAgo(milliseconds: number): string {
	const seconds = Math.max(0, milliseconds / 1000);
	const days = Math.round(seconds / 86_400);
	return days >= 2 ? `${days} d ago` : `${formatDuration(seconds)} ago`;
}

function describeNoJobs(state: StateWith<'jobs'> & StateWith<'work', 'elsewhere' | 'list'>) {
	const {
		jobs: {
			data: {reading, failure},
		},
		work: {elsewhere},
	} = state;
	if (reading === 'unread') return {isUnread: true};
	if (failure) return {failure};
	const writes = listRunningWrites(state);
	if (writes.length > 0)
		return {
			title: `Running: ${writes.map(({label}) => toDrawable(label)).join(', ')}.`,
			next: 'It continues here until it ends; there is no job to pause or resume.',
		};
	if (elsewhere.length > 0)
		return {
			title: 'No jobs here.',
			next: `Running elsewhere: ${elsewhere.map(describeWorkElsewhere).join(', ')}; ${nameKey('go.contexts', 'C')} switches there.`,
		};
	return {
		title: 'No jobs.',
		next: `Start jobs from the key list of a namespace: bulk (${nameKey('keys.bulk', 'B')}), export (${nameKey('keys.export', 'x')}) or copy (${nameKey('keys.copy-to', 'c')}).`,
	};
}

/** Columns of a title in the status line, at least. */
const minTitleColumns = 24;

/** Status line: title, why it stopped or who works on it, and whether recorded jobs failed to load. */
export function formatJobsStatus(
	state: StateWith<'jobs' | 'migration' | 'bulk' | 'transfer'> &
		StateWith<'navigation', 'screens' | 'viewport'> &
		StateWith<'namespaces', 'data'>,
): string {
	const row = getSelectedJob(state);
	if (!row) return '';
	const loadFailureNotes =
		state.jobs.data.reading === 'failed' ? [`recorded jobs not loaded (${nameKey('reload', 'ctrl-r')})`] : [];
	// A title, which may name a file, is cut in its middle; a sentence that is may read as another one.
	const room = state.navigation.viewport.columns - 2;
	const about = toDrawable(getNamespaceGoneReason(state, row) ?? row.about);
	if (about === '') return [...loadFailureNotes, row.title].join('   ');
	const title = cutMiddle(toDrawable(row.title), Math.max(minTitleColumns, room - measureColumns(about) - 3));
	return cutEnd([...loadFailureNotes, title, about].join('   '), room);
}
