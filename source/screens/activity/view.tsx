import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {Lines} from '../../components/lines.tsx';
import {List} from '../../components/list.tsx';
import {linesOf} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import type {CallRecord} from '../../service/call.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {cutMiddle, fitted} from '../../text/cut.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {hasFailed} from './slice.ts';

/** Lines below the list for the curl line of the call. */
const detailRows = 4;

/** Every call of this session, the latest first (design.md 5, Activity). */
export function Activity(): ReactElement {
	const calls = useLedge(state => state.calls);
	const cursor = useLedge(state => state.callCursor);
	const {columns, rows} = useLedge(state => state.viewport);
	const {dim} = useTheme();
	if (calls.length === 0) return <Empty title="No call has been made in this session." />;
	const selected = calls[cursor];
	return (
		<>
			<Text {...dim} wrap="truncate">
				{`   ${fitted('TIME UTC', 10)}${fitted('METHOD', 8)}${fitted('STATUS', 18)}${fitted('MS', 7, 'right')}  PATH`}
			</Text>
			<List
				count={calls.length}
				cursor={cursor}
				height={bodyRows(rows) - 1 - detailRows}
				row={(index, isHere) => {
					const call = calls[index];
					return call ? <CallLine call={call} isHere={isHere} columns={columns} /> : <Text> </Text>;
				}}
			/>
			<Box paddingLeft={3} paddingTop={1}>
				<Lines dim lines={linesOf([selected?.curl], columns - 5)} rows={detailRows - 1} />
			</Box>
		</>
	);
}

/** A path without what all calls of the key-value store begin with. */
const shortPath = (path: string): string =>
	path.replace(/^\/accounts\/[^/?]+\/storage\/kv\/namespaces(?=\/)/, '…');

const CallLine = memo(
	({
		call,
		isHere,
		columns,
	}: {
		readonly call: CallRecord;
		readonly isHere: boolean;
		readonly columns: number;
	}): ReactElement => {
		const {here, danger, marks} = useTheme();
		const failed = hasFailed(call);
		const status = `${failed ? `${marks.failed} ` : ''}${call.status ?? call.failed ?? 'failed'}${call.attempt > 1 ? ` (try ${call.attempt})` : ''}`;
		const time = new Date(call.at).toISOString().slice(11, 19);
		return (
			<Text wrap="truncate" {...(isHere ? here : {})}>
				{` ${isHere ? marks.here : ' '} ${fitted(time, 10)}${fitted(call.method, 8)}`}
				<Text {...(failed ? danger : {})}>{fitted(status, 18)}</Text>
				{`${fitted(String(Math.round(call.milliseconds)), 7, 'right')}  ${cutMiddle(drawable(shortPath(call.path)), columns - 50)}`}
			</Text>
		);
	},
);

export const activityStatus = ({callCount}: Pick<LedgeState, 'callCount'>): string =>
	`${callCount.all} ${callCount.all === 1 ? 'call' : 'calls'}, ${callCount.failed} failed`;
