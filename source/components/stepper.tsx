import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {type Marks, useTheme} from './theme.ts';

export type Step = {
	readonly title: string;
	readonly state: 'done' | 'skipped' | 'now' | 'to come' | 'failed';
};

/** Point of no return, shown before the step at `stepIndex`. */
type StepBorder = {readonly stepIndex: number; readonly lines: readonly string[]; readonly shortText: string};

export type StepperProps = {
	readonly steps: readonly Step[];
	readonly border: StepBorder;
	/** Steps below each other in a column of that width, or all in one line. */
	readonly layout: {readonly name: 'column'; readonly columns: number} | {readonly name: 'line'};
};

/** Shows all steps with their state, and the point of no return. */
export const Stepper = memo(({steps, border, layout}: StepperProps): ReactElement => {
	switch (layout.name) {
		case 'column':
			return <StepColumn steps={steps} border={border} columns={layout.columns} />;
		case 'line':
			return <StepLine steps={steps} border={border} />;
		default:
			return layout satisfies never;
	}
});

const getStepMark = (state: Step['state'], marks: Marks): string =>
	({
		done: marks.done,
		skipped: marks.none,
		now: marks.now,
		'to come': marks.pending,
		failed: marks.failed,
	})[state];

/** Returns the index of the current step, else of the first. */
const findCurrentStep = (steps: readonly Step[]): number =>
	Math.max(
		0,
		steps.findIndex(({state}) => state === 'now' || state === 'failed'),
	);

function StepColumn({
	steps,
	border,
	columns,
}: Omit<StepperProps, 'layout'> & {readonly columns: number}): ReactElement {
	const {current, good, dim, danger, marks} = useTheme();
	const looks = {done: good, skipped: dim, now: current, 'to come': dim, failed: danger};
	const lines: ReactElement[] = [];
	const addLine = (text: string, look: object) =>
		lines.push(
			<Text key={lines.length} {...look} wrap="truncate">
				{`  ${text}`}
			</Text>,
		);
	for (const [stepIndex, {title, state}] of steps.entries()) {
		if (stepIndex === border.stepIndex)
			for (const text of border.lines) addLine(`${marks.line} ${text} ${marks.line}`, danger);
		addLine(`${getStepMark(state, marks)} ${title}`, looks[state]);
	}
	return (
		<Box flexDirection="column" width={columns} flexShrink={0}>
			{lines}
		</Box>
	);
}

function StepLine({steps, border}: Omit<StepperProps, 'layout'>): ReactElement {
	const {current, dim, danger, marks} = useTheme();
	const currentIndex = findCurrentStep(steps);
	const {title = '', state} = steps[currentIndex] ?? {};
	const stepMarks = steps.map(step => getStepMark(step.state, marks));
	const look = state === 'failed' ? danger : current;
	return (
		<Box height={1} flexShrink={0}>
			<Text wrap="truncate">
				<Text {...look}>{`   step ${currentIndex + 1} of ${steps.length} ${marks.dot} ${title}`}</Text>
				<Text {...dim}>{`  ${stepMarks.slice(0, border.stepIndex).join('')}`}</Text>
				<Text {...danger}>|</Text>
				<Text {...dim}>{stepMarks.slice(border.stepIndex).join('')}</Text>
				<Text {...danger}>{`  | ${border.shortText}`}</Text>
			</Text>
		</Box>
	);
}
