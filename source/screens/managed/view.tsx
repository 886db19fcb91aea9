import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useTheme} from '../../components/theme.ts';
import {Rows} from '../rows/lines.tsx';
import {Scrolled, Side} from '../rows/panes.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {computeManagedLayout} from './body.ts';

/** The active managed rules of a zone with unsent changes, or the review of these. */
export function Managed(): ReactElement {
	const managed = useLedge(state => state.managed.data);
	const connection = useLedge(state => state.connection.data);
	const viewport = useLedge(state => state.navigation.viewport);
	const {marks} = useTheme();
	if (!managed) return <Empty title="No zone is open." next="esc goes back" />;
	const layout = computeManagedLayout(managed, viewport, marks, connection);
	if (!layout) {
		const {failure, reading} = managed;
		return failure && reading === 'failed' ? <Empty failure={failure} /> : <Empty isUnread />;
	}
	const {body, bodyHeight, totalHeight, tail, sideColumns} = layout;
	return (
		<Box height={totalHeight} paddingLeft={3} overflow="hidden">
			<Box flexDirection="column" height={totalHeight} flexGrow={1} flexShrink={0}>
				<Scrolled
					key={managed.step}
					body={body}
					top={managed.top}
					height={bodyHeight}
					hint={managed.step === 'review' ? ': space' : undefined}
				/>
				<Rows rows={tail} />
			</Box>
			{sideColumns !== undefined && body.side && (
				<Side rows={body.side} top={managed.top} columns={sideColumns} height={totalHeight} hint=": ctrl-d" />
			)}
		</Box>
	);
}
