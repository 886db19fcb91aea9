import {resumableNotice} from '../jobs/slice.ts';
import type {ScreenDefinition, SessionJob} from '../shell/screen.ts';
import {getResumeBlockedReason, resumeTransferJob} from './actions.ts';
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

export const transferScreen: ScreenDefinition = {
	group: 'Export, copy and rename',
	buildPath: (before, {transfer: {data: transfer}}) => [...before, transfer?.kind ?? 'export and copy'],
	handleEscape({state}) {
		state().transfer.leave();
		return false;
	},
	getUnsaved: ({transfer: {data: transfer}}) =>
		transfer?.stage.state === 'running' && transfer.stage.progress.isRecorded
			? {lines: [resumableNotice]}
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
