import {Box} from 'ink';
import type {ReactElement} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {Lines} from '../../components/lines.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {buildFactRow, factMargin} from '../rows/facts.ts';
import {Rows} from '../rows/lines.tsx';
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
				next="Press x, c or R in the key list of a namespace to start one."
			/>
		);
	const facts = buildTransferFacts(transfer, waits, now);
	return (
		<Box flexDirection="column" paddingTop={1} paddingLeft={factMargin}>
			<Rows rows={facts.map(fact => buildFactRow(fact, columns, marks))} />
			<Box paddingTop={1}>
				<Lines
					lines={wrapParagraphs(listTransferSentences(transfer), columns - factMargin - 2)}
					rows={getBodyRows(rows) - facts.length - 2}
				/>
			</Box>
		</Box>
	);
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
