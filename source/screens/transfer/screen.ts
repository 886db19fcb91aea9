import {recorded} from '../jobs/slice.ts';
import type {ScreenDefinition, SessionJob} from '../shell/screen.ts';
import {goOnTransferring, refusedReadOnly} from './actions.ts';
import {type TransferState, transferBrief, transferLabel} from './state.ts';

/** Builds the row of this session's transfer in the list of jobs while it runs. */
function jobOf(transfer: TransferState): SessionJob | undefined {
	const {kind, stage} = transfer;
	if (stage.state !== 'running') return undefined;
	const {settled, total, paused} = stage.progress;
	return {
		id: stage.id,
		title: transferLabel(transfer),
		name: transferLabel(transfer, true),
		isPaused: paused,
		done: settled,
		total,
		about: `the ${kind} ${paused ? 'is paused' : 'is running'}`,
	};
}

export const transferScreen: ScreenDefinition = {
	group: 'Export, copy and rename',
	path: (before, {transfer: {data: transfer}}) => [...before, transfer?.kind ?? 'export and copy'],
	takeBack({state}) {
		state().transfer.leave();
		return false;
	},
	unsaved: ({transfer: {data: transfer}}) =>
		transfer?.stage.state === 'running' && transfer.stage.progress.isRecorded
			? {lines: [recorded]}
			: undefined,
	end: state => state.transfer.end(),
	job: {
		row: ({transfer: {data: transfer}}) => transfer && jobOf(transfer),
		brief: ({transfer: {data: transfer}}) => transferBrief(transfer),
		unavailable: (state, {job}) => job && refusedReadOnly(state, job),
		resume(app, {job}) {
			if (job) goOnTransferring(app, job);
		},
		pause: (state, isPaused) => state.transfer.pause(isPaused),
	},
};
