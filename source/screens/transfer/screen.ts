import {getBodyRows} from '../../components/layout.ts';
import {getTheme} from '../../components/theme.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatResumableNotice} from '../jobs/slice.ts';
import {buildFactPage} from '../rows/facts.ts';
import type {ScreenDefinition, SessionJob} from '../shell/screen.ts';
import {getResumeBlockedReason, resumeTransferJob} from './actions.ts';
import {buildTransferFacts, listTransferSentences} from './facts.ts';
import {formatTransferLabel, formatTransferSummary, type TransferState} from './state.ts';

/** Builds the row of this session's transfer in the list of jobs while it runs. */
function buildTransferJob(transfer: TransferState): SessionJob | undefined {
	const {kind, stage} = transfer;
	if (stage.state !== 'running') return undefined;
	const {settled, total, paused} = stage.progress;
	return {
		id: stage.id,
		title: formatTransferLabel(transfer),
		name: formatTransferLabel(transfer, true),
		isPaused: paused,
		done: settled,
		total,
		about: `the ${kind} ${paused ? 'is paused' : 'is running'}`,
	};
}

const {marks} = getTheme('none', true);

/** Returns how far the facts can be scrolled, in rows. */
function computeLastTop({
	transfer: {data: transfer},
	work: {waits},
	navigation: {viewport},
}: StateWith<'transfer'> & StateWith<'work', 'waits'> & StateWith<'navigation', 'viewport'>): number {
	if (!transfer) return 0;
	const size = {columns: viewport.columns, height: getBodyRows(viewport.rows)};
	const facts = buildTransferFacts(transfer, waits, performance.now());
	return Math.max(0, buildFactPage(facts, listTransferSentences(transfer), size, marks).length - size.height);
}

export const transferScreen: ScreenDefinition = {
	group: 'Export, copy and rename',
	buildPath: (before, {transfer: {data: transfer}}) => [...before, transfer?.kind ?? 'export and copy'],
	move: (state, by) => state.transfer.scroll(by, computeLastTop(state)),
	handleEscape({state}) {
		state().transfer.leave();
		return false;
	},
	getUnsaved: ({transfer: {data: transfer}}) =>
		transfer?.stage.state === 'running' && transfer.stage.progress.isRecorded
			? {lines: [formatResumableNotice()]}
			: undefined,
	end: state => state.transfer.end(),
	job: {
		getRow: ({transfer: {data: transfer}}) => transfer && buildTransferJob(transfer),
		formatProgress: ({transfer: {data: transfer}}) => formatTransferSummary(transfer),
		getUnavailableReason: (state, {job}) => job && getResumeBlockedReason(state, job),
		resume(app, {job}) {
			if (job) resumeTransferJob(app, job);
		},
		pause: (state, isPaused) => state.transfer.pause(isPaused),
	},
};
