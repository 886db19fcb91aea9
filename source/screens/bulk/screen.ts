import {bulkKinds} from '../../kv/bulk/prepared.ts';
import {isLocalPlace} from '../../state/job-record.ts';
import {recorded} from '../jobs/slice.ts';
import {readOnly} from '../shell/action.ts';
import type {ScreenDefinition, SessionJob} from '../shell/screen.ts';
import {goOnWith} from './start.ts';
import {type BulkState, bulkBrief, bulkLabel} from './state.ts';

/** Builds the row of this session's run in the list of jobs, until its journal is complete. */
function jobOf(bulk: BulkState): SessionJob | undefined {
	const label = bulkLabel(bulk);
	const named = {title: label, name: label};
	switch (bulk.stage.state) {
		case 'checking':
			return {...named, id: 'here', done: undefined, total: undefined, about: 'its input is being checked'};
		case 'checked':
			return {...named, id: 'here', done: 0, total: bulk.stage.check.valid, about: 'nothing is sent yet'};
		case 'keeping': {
			const {check, done} = bulk.stage;
			const about = 'its keys are read and kept in the trash; nothing is sent yet';
			return {...named, id: 'here', done, total: check.valid, about};
		}
		case 'sending': {
			const {done, total, paused} = bulk.stage.progress;
			const about = paused ? 'it is paused' : 'it is running';
			return {...named, id: bulk.stage.id, isPaused: paused, done, total, about};
		}
		default:
			return undefined;
	}
}

export const bulkScreen: ScreenDefinition = {
	group: 'Bulk',
	path: (before, {bulk: {data: bulk}}) =>
		bulk ? [...before, bulkKinds[bulk.kind].command, bulk.from] : before,
	actsOn(before, {bulk: {data: bulk}}) {
		const place = bulk?.namespace.target?.place;
		return place === undefined ? before : {...before, isLocal: isLocalPlace(place)};
	},
	move: (state, by) => state.bulk.moveInRefused(by),
	takeBack: ({state}) => state().bulk.leave(),
	unsaved: ({bulk: {data: bulk}}) =>
		bulk?.stage.state === 'sending' && bulk.stage.progress.record === 'made'
			? {lines: [recorded]}
			: undefined,
	end: state => state.bulk.end(),
	async letGo({bulk: {data: bulk, close: closeBulk}}) {
		await closeBulk();
		return bulk?.stage.state === 'checked' ? `${bulkLabel(bulk)} (nothing was sent)` : undefined;
	},
	job: {
		row: ({bulk: {data: bulk}}) => bulk && jobOf(bulk),
		brief: ({bulk: {data: bulk}}) => bulkBrief(bulk),
		unavailable: readOnly,
		resume(app, {job}) {
			if (job) void goOnWith(app, job);
		},
		pause: (state, isPaused) => state.bulk.pause(isPaused),
	},
};
