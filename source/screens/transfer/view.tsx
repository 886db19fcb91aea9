import type {ReactElement} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {buildFactPage} from '../rows/facts.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {getMonotonicTime, useClock} from '../shell/status.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {buildTransferFacts, listTransferSentences} from './facts.ts';

/** The Transfer screen: source and target, progress, result. */
export function Transfer(): ReactElement {
	const transfer = useLedge(state => state.transfer.data);
	const waits = useLedge(state => state.work.waits);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {marks} = useTheme();
	const now = useClock(transfer?.stage.state === 'running', getMonotonicTime);
	if (!transfer)
		return (
			<Empty
				title="No export, copy or rename."
				next={`Press ${nameKey('keys.export', 'x')}, ${nameKey('keys.copy-to', 'c')} or ${nameKey('rename.prefix', 'R')} in the key list of a namespace to start one.`}
			/>
		);
	const height = getBodyRows(rows);
	const facts = buildTransferFacts(transfer, waits, now);
	const page = buildFactPage(facts, listTransferSentences(transfer), {columns, height}, marks);
	return <ScrolledRows rows={page} top={transfer.top ?? 0} height={height} hint=": pagedown" />;
}

/** Status line: whether stopping is safe. */
export function formatTransferStatus({transfer: {data: transfer}}: StateWith<'transfer'>): string {
	switch (transfer?.stage.state) {
		case 'running':
			return transfer.stage.progress.isRecorded
				? 'safe to quit: resumes where it stopped'
				: 'starting; not resumable yet';
		case 'done':
			return 'finished';
		default:
			return '';
	}
}
