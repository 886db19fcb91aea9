import type {ReactElement} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {RecordState} from '../../kv/job/recorder.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {buildFactPage} from '../rows/facts.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useClock} from '../shell/status.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {buildBulkFacts, listBulkSentences} from './facts.ts';
import {RefusedList} from './refused-list.tsx';

/** The Bulk screen: what was checked, what will be done, progress, result. */
export function Bulk(): ReactElement {
	const bulk = useLedge(state => state.bulk.data);
	const waits = useLedge(state => state.work.waits);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {marks} = useTheme();
	const now = useClock(bulk?.stage.state === 'sending' || bulk?.stage.state === 'keeping');
	if (!bulk)
		return (
			<Empty
				title="No bulk run."
				next={`Press ${nameKey('keys.bulk', 'B')} in the key list of a namespace to start one.`}
			/>
		);
	if (bulk.refusedList)
		return <RefusedList stage={bulk.stage} cursor={bulk.refusedList.cursor} columns={columns} />;
	const height = getBodyRows(rows);
	const facts = buildBulkFacts(bulk, waits, now);
	const page = buildFactPage(facts, listBulkSentences(bulk), {columns, height}, marks);
	return <ScrolledRows rows={page} top={bulk.top ?? 0} height={height} hint=": pagedown" />;
}

/** Texts on whether stopping is safe, by whether the run is recorded. */
const stopSafety: Readonly<Record<RecordState, string>> = {
	made: 'safe to quit: resumes where it stopped',
	coming: 'starting; not resumable yet',
	none: 'not resumable: if stopped, it has to start over',
};

/** Status line of the Bulk screen. */
export function formatBulkStatus({bulk: {data: bulk}}: StateWith<'bulk'>): string {
	switch (bulk?.stage.state) {
		case undefined:
		case 'failed':
			return '';
		case 'checking':
		case 'checked':
		case 'keeping':
			return 'nothing has been sent';
		case 'sending':
			return stopSafety[bulk.stage.progress.record];
		case 'stopped':
			return bulk.stage.progress.record === 'made' ? 'progress is recorded' : 'progress is not recorded';
		case 'done':
			return 'finished';
	}
}
