import {Text} from 'ink';
import {memo, type ReactElement, useEffect} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {duration} from '../../terminal/progress.ts';
import {drawable} from '../../text/columns.ts';
import {cutMiddle, fitted} from '../../text/cut.ts';
import {grouped, percent} from '../../text/figures.ts';
import {Empty} from '../shell/empty.tsx';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {refreshJobs} from './actions.ts';
import {type JobRow, jobRows} from './slice.ts';

/** Columns of the list: at 60 it is not said when. */
function columnsFor(columns: number) {
	const state = 12;
	const done = columns >= 100 ? 28 : 8;
	const when = columns >= 76 ? 12 : 0;
	return {state, done, when, name: columns - 3 - state - done - 2 - when - (when > 0 ? 2 : 0) - 1};
}

/** Long work that goes on, was interrupted, or is done (decision 44). */
export function Jobs(): ReactElement {
	const state = useLedge(state => state);
	const {jobs} = state;
	const {columns, rows} = state.viewport;
	const {dim} = useTheme();
	const all = jobRows(state);
	useFresh(all.some(({state}) => state === 'running'));
	if (all.length === 0) return <Empty {...whyEmpty(jobs)} />;
	const widths = columnsFor(columns);
	const now = Date.now();
	return (
		<>
			<Text {...dim} wrap="truncate">
				{`   ${fitted('STATE', widths.state)}${fitted('DONE', widths.done, 'right')}  ${widths.when > 0 ? `${fitted('WHEN', widths.when)}  ` : ''}WHAT`}
			</Text>
			<List
				count={all.length}
				cursor={jobs.cursor}
				height={bodyRows(rows) - 1}
				row={(index, isHere) => {
					const row = all[index];
					return row ? <JobLine {...lineOf(row, now)} isHere={isHere} columns={columns} /> : <Text> </Text>;
				}}
			/>
		</>
	);
}

/** Milliseconds between two looks at what another process works on. */
const freshFor = 3000;

/** Reads the jobs when they are shown, and again and again while another process may change them. */
function useFresh(changes: boolean): void {
	const app = useApp();
	useEffect(() => void refreshJobs(app), [app]);
	useEffect(() => {
		if (!changes) return;
		const timer = setInterval(() => void refreshJobs(app), freshFor);
		return () => clearInterval(timer);
	}, [app, changes]);
}

/** What a row shows, as plain texts, so that a row that did not change is not drawn anew. */
type Line = {
	readonly state: JobRow['state'];
	readonly word: string;
	readonly share: string;
	readonly figures: string;
	readonly when: string;
	readonly name: string;
};

function lineOf({state, isPaused, done, total, updated, name}: JobRow, now: number): Line {
	const word = state === 'here' ? (isPaused ? 'paused' : 'this run') : state;
	const share = done === undefined || total === undefined ? '' : `${percent(done, total)} %`;
	const figures =
		done === undefined ? '' : total === undefined ? grouped(done) : `${grouped(done)}/${grouped(total)}`;
	return {state, word, share, figures, when: updated === undefined ? '' : ago(now - updated), name};
}

/** A time that is past, as a person says it. */
function ago(milliseconds: number): string {
	const seconds = Math.max(0, milliseconds / 1000);
	const days = Math.round(seconds / 86_400);
	return days >= 2 ? `${days} d ago` : `${duration(seconds)} ago`;
}

const JobLine = memo(
	({
		state,
		word,
		share,
		figures,
		when,
		name,
		isHere,
		columns,
	}: Line & {readonly isHere: boolean; readonly columns: number}): ReactElement => {
		const {here, dim, warning, danger, good, marks} = useTheme();
		const widths = columnsFor(columns);
		const looks = {here, running: here, unfinished: warning, done: good, damaged: danger};
		const signs = {
			here: marks.now,
			running: marks.now,
			unfinished: marks.toCome,
			done: marks.done,
			damaged: marks.failed,
		};
		const done = widths.done > 8 ? `${figures}  ${share}` : share || figures;
		return (
			<Text wrap="truncate" {...(isHere ? here : {})}>
				{` ${isHere ? marks.here : ' '} `}
				<Text {...looks[state]}>{fitted(`${signs[state]} ${word}`, widths.state)}</Text>
				{fitted(done, widths.done, 'right')}
				{'  '}
				{widths.when > 0 ? <Text {...(isHere ? {} : dim)}>{`${fitted(when, widths.when)}  `}</Text> : null}
				{cutMiddle(drawable(name), widths.name)}
			</Text>
		);
	},
);

function whyEmpty({reading, failure}: LedgeState['jobs']) {
	if (reading === 'unread') return {title: ''};
	if (failure) return {failure};
	return {
		title: 'There is no job.',
		next: 'Long work that lasts a moment becomes one: B, x and c in the keys of a namespace.',
	};
}

/** The whole title, and what is to be said beside it. */
export function jobsStatus(state: LedgeState): string {
	const row = jobRows(state)[state.jobs.cursor];
	if (!row) return '';
	return [row.title, ...(row.about === '' ? [] : [row.about])].join('   ');
}
