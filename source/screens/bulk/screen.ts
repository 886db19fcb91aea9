import {getBodyRows} from '../../components/layout.ts';
import {getTheme} from '../../components/theme.ts';
import {bulkKinds} from '../../kv/bulk/prepared.ts';
import {isLocalPlace} from '../../state/job-record.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatResumableNotice} from '../jobs/slice.ts';
import {buildFactPage} from '../rows/facts.ts';
import {getReadOnlyReason} from '../shell/action.ts';
import type {ScreenDefinition, SessionJob} from '../shell/screen.ts';
import {buildBulkFacts, listBulkSentences} from './facts.ts';
import {resumeBulkJob} from './start.ts';
import {type BulkState, formatBulkLabel, formatBulkSummary} from './state.ts';

/**
 * Builds the row of this session's run in the list of jobs; undefined once it has ended. Its id is `here`
 * until it has a journal.
 */
function buildBulkJob(bulk: BulkState): SessionJob | undefined {
	const label = formatBulkLabel(bulk);
	const labels = {title: label, name: label};
	switch (bulk.stage.state) {
		case 'checking':
			return {...labels, id: 'here', done: undefined, total: undefined, about: 'checking its input'};
		case 'checked':
			return {
				...labels,
				id: 'here',
				done: 0,
				total: bulk.stage.check.validCount,
				about: 'nothing sent yet',
			};
		case 'keeping': {
			const {check, copiedCount} = bulk.stage;
			const about = 'copying its keys to the trash; nothing sent yet';
			return {...labels, id: 'here', done: copiedCount, total: check.validCount, about};
		}
		case 'sending': {
			const {done, total, paused} = bulk.stage.progress;
			const about = paused ? 'paused' : 'running';
			return {...labels, id: bulk.stage.id, isPaused: paused, done, total, about};
		}
		default:
			return undefined;
	}
}

const {marks} = getTheme('none', true);

/** Returns how far the facts can be scrolled, in rows. */
function computeLastTop({
	bulk: {data: bulk},
	work: {waits},
	navigation: {viewport},
}: StateWith<'bulk'> & StateWith<'work', 'waits'> & StateWith<'navigation', 'viewport'>): number {
	if (!bulk) return 0;
	const size = {columns: viewport.columns, height: getBodyRows(viewport.rows)};
	const facts = buildBulkFacts(bulk, waits, Date.now());
	return Math.max(0, buildFactPage(facts, listBulkSentences(bulk), size, marks).length - size.height);
}

export const bulkScreen: ScreenDefinition = {
	group: 'Bulk',
	// The namespace of the run may not be the open one.
	buildPath: (before, {bulk: {data: bulk}}) =>
		bulk ? ['ledge', bulk.namespace.title, bulkKinds[bulk.kind].command, bulk.inputName] : before,
	getTarget(before, {bulk: {data: bulk}}) {
		const place = bulk?.namespace.target?.place;
		return place === undefined ? before : {...before, isLocal: isLocalPlace(place)};
	},
	move: (state, by) => state.bulk.move(by, computeLastTop(state)),
	handleEscape: ({state}) => state().bulk.leave(),
	getUnsaved: ({bulk: {data: bulk}}) =>
		bulk?.stage.state === 'sending' && bulk.stage.progress.record === 'made'
			? {lines: [formatResumableNotice()]}
			: undefined,
	end: state => state.bulk.end(),
	async release({bulk: {data: bulk, close: closeBulk}}) {
		await closeBulk();
		return bulk?.stage.state === 'checked' ? `${formatBulkLabel(bulk)} (nothing was sent)` : undefined;
	},
	job: {
		getRow: ({bulk: {data: bulk}}) => bulk && buildBulkJob(bulk),
		formatProgress: ({bulk: {data: bulk}}) => formatBulkSummary(bulk),
		getUnavailableReason: getReadOnlyReason,
		resume(app, {job}) {
			if (job) resumeBulkJob(app, job);
		},
		pause: (state, isPaused) => state.bulk.pause(isPaused),
	},
};
