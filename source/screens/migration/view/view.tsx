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
import {buildMigrationView, getBorderLines, type MigrationLayout} from './parts.ts';
import {formatStatusOfState} from './status.ts';

/** The screen of a migration: its steps, and the current one. */
export function Migration(): ReactElement {
	const migration = useLedge(getDrawnMigration);
	if (!migration) return <Empty title="No migration is open." next="esc goes back" />;
	return <Opened migration={migration} />;
}

function Opened({migration}: {readonly migration: MigrationState}): ReactElement {
	const viewport = useLedge(state => state.navigation.viewport);
	const {marks} = useTheme();
	useHalfMinutes();
	useEvents();
	const {layout, body, height, tail} = buildMigrationView(migration, viewport, marks, Date.now());
	return (
		<Box
			flexDirection={layout.stepper.name === 'line' ? 'column' : 'row'}
			height={getBodyRows(viewport.rows)}
			overflow="hidden"
		>
			<Steps migration={migration} form={layout.stepper} />
			<Box
				flexDirection="column"
				height={layout.rows}
				paddingLeft={layout.margin}
				flexGrow={1}
				flexShrink={0}
			>
				<Scrolled body={body} top={migration.top} height={height} />
				<Rows rows={tail} />
				{isMigrationTyping(migration) && <InputField buffer={migration.typed} columns={layout.columns} />}
			</Box>
			{layout.side !== undefined && body.side && (
				<Side rows={body.side} top={migration.top} columns={layout.side} height={layout.rows} />
			)}
		</Box>
	);
}

/** The steps. They are redrawn when a step changes, but not when its text is scrolled. */
function Steps({
	migration,
	form,
}: {
	readonly migration: MigrationState;
	readonly form: MigrationLayout['stepper'];
}): ReactElement {
	const key = JSON.stringify({marks: listStepMarks(migration), form});
	const props = useMemo(() => {
		const parsedProps: Pick<StepperProps, 'form'> & {marks: ReturnType<typeof listStepMarks>} =
			JSON.parse(key);
		return {
			steps: parsedProps.marks.map(({step, mark}) => ({title: step, state: mark})),
			border: {
				before: migrationSteps.indexOf(firstIrreversibleStep),
				lines: getBorderLines(parsedProps.form),
				shortText: 'no rollback',
			},
			form: parsedProps.form,
		};
	}, [key]);
	return <Stepper {...props} />;
}

/** Redraws every 30 s, because ages are shown in minutes. */
function useHalfMinutes(): void {
	const [, setPassed] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => setPassed(previous => previous + 1), 30_000);
		return () => clearInterval(timer);
	}, []);
}

/** Refreshes security events when they are due. */
function useEvents(): void {
	const readEvents = useLedge(state => state.migration.readEvents);
	useEffect(() => {
		const timer = setInterval(() => void readEvents('due'), 30_000);
		return () => clearInterval(timer);
	}, [readEvents]);
}

/** Returns the status line. */
export const getMigrationStatus = (state: LedgeState, marks: Marks): string =>
	formatStatusOfState(withDrawnMigration(state), marks, Date.now());
