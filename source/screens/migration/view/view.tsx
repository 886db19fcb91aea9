import {Box} from 'ink';
import {type ReactElement, useEffect, useMemo, useState} from 'react';
import {InputField} from '../../../components/field.tsx';
import {getBodyRows} from '../../../components/layout.ts';
import {Stepper, type StepperProps} from '../../../components/stepper.tsx';
import {type Marks, useTheme} from '../../../components/theme.ts';
import type {LedgeState} from '../../../store/ledge-store.ts';
import {Rows} from '../../rows/lines.tsx';
import {Scrolled, Side} from '../../rows/panes.tsx';
import {Empty} from '../../shell/empty.tsx';
import {useLedge} from '../../shell/use-ledge.ts';
import {
	firstIrreversibleStep,
	isMigrationTyping,
	listStepMarks,
	type MigrationState,
	migrationSteps,
} from '../state.ts';
import {getDrawnMigration, withDrawnMigration} from '../throttle.ts';
import {buildMigrationView, getNoRollbackLines, type MigrationLayout} from './layout.ts';
import {formatMigrationStatusLine} from './status.ts';

/** The screen of a migration: its steps, and the current one. */
export function Migration(): ReactElement {
	const migration = useLedge(getDrawnMigration);
	if (!migration) return <Empty title="No migration is open." next="esc goes back" />;
	return <OpenMigrationView migration={migration} />;
}

function OpenMigrationView({migration}: {readonly migration: MigrationState}): ReactElement {
	const viewport = useLedge(state => state.navigation.viewport);
	const {marks} = useTheme();
	useRedrawTimer();
	useEventRefresh();
	const {layout, body, height, tail} = buildMigrationView(migration, viewport, marks, Date.now());
	return (
		<Box
			flexDirection={layout.stepper.name === 'line' ? 'column' : 'row'}
			height={getBodyRows(viewport.rows)}
			overflow="hidden"
		>
			<Steps migration={migration} layout={layout.stepper} />
			<Box
				flexDirection="column"
				height={layout.rows}
				paddingLeft={layout.margin}
				flexGrow={1}
				flexShrink={0}
			>
				<Scrolled
					body={body}
					top={migration.top}
					height={height}
					hint={body.cursorRows || isMigrationTyping(migration) ? undefined : ': space'}
				/>
				<Rows rows={tail} />
				{isMigrationTyping(migration) && (
					<InputField buffer={migration.typedBuffer} columns={layout.columns} />
				)}
			</Box>
			{layout.sideColumns !== undefined && body.side && (
				<Side
					rows={body.side}
					top={migration.top}
					columns={layout.sideColumns}
					height={layout.rows}
					hint={body.cursorRows ? ': ctrl-d' : ': space'}
				/>
			)}
		</Box>
	);
}

/** Titles of steps that were passed without being done. */
const skippedTitles: Readonly<Partial<Record<string, string>>> = {
	review: 'not reviewed',
	edit: 'not edited',
	rehearse: 'not rehearsed',
};

/** The steps. They are redrawn when a step changes, but not when its text is scrolled. */
function Steps({
	migration,
	layout,
}: {
	readonly migration: MigrationState;
	readonly layout: MigrationLayout['stepper'];
}): ReactElement {
	const key = JSON.stringify({marks: listStepMarks(migration), layout});
	const props = useMemo(() => {
		const parsedProps: Pick<StepperProps, 'layout'> & {marks: ReturnType<typeof listStepMarks>} =
			JSON.parse(key);
		return {
			steps: parsedProps.marks.map(({step, mark}) => ({
				title: mark === 'skipped' ? (skippedTitles[step] ?? step) : step,
				state: mark,
			})),
			border: {
				stepIndex: migrationSteps.indexOf(firstIrreversibleStep),
				lines: getNoRollbackLines(parsedProps.layout),
				shortText: 'no rollback',
			},
			layout: parsedProps.layout,
		};
	}, [key]);
	return <Stepper {...props} />;
}

/** Redraws every 30 s, because ages are shown in minutes. */
function useRedrawTimer(): void {
	const [, setTickCount] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => setTickCount(previous => previous + 1), 30_000);
		return () => clearInterval(timer);
	}, []);
}

/** Refreshes security events when they are due. */
function useEventRefresh(): void {
	const readEvents = useLedge(state => state.migration.readEvents);
	useEffect(() => {
		const timer = setInterval(() => void readEvents('due'), 30_000);
		return () => clearInterval(timer);
	}, [readEvents]);
}

/** Returns the status line. */
export const getMigrationStatus = (state: LedgeState, marks: Marks): string =>
	formatMigrationStatusLine(withDrawnMigration(state), marks, Date.now());
