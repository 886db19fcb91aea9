import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {type Marks, useTheme} from './theme.ts';

export type Step = {
	readonly title: string;
	readonly state: 'done' | 'skipped' | 'now' | 'to come' | 'failed';
};

/** Point of no return, shown before the step at `stepIndex`. */
type StepBorder = {readonly before: number; readonly lines: readonly string[]; readonly shortText: string};

export type StepperProps = {
	readonly steps: readonly Step[];
	readonly border: StepBorder;
	/** Steps below each other in a column of that width, or all in one line. */
	readonly form: {readonly name: 'column'; readonly columns: number} | {readonly name: 'line'};
};

/** Shows all steps with their state, and the point of no return. */
export const Stepper = memo(({steps, border, form}: StepperProps): ReactElement => {
	switch (form.name) {
		case 'column':
			return <StepColumn steps={steps} border={border} columns={form.columns} />;
		case 'line':
			return <StepLine steps={steps} border={border} />;
		default:
			return form satisfies never;
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
}: Omit<StepperProps, 'form'> & {readonly columns: number}): ReactElement {
	const {here, good, dim, danger, marks} = useTheme();
	const looks = {done: good, skipped: dim, now: here, 'to come': dim, failed: danger};
	const lines: ReactElement[] = [];
	const addLine = (text: string, look: object) =>
		lines.push(
			<Text key={lines.length} {...look} wrap="truncate">
				{`  ${text}`}
			</Text>,
		);
	for (const [place, {title, state}] of steps.entries()) {
		if (place === border.before)
			for (const text of border.lines) addLine(`${marks.rule} ${text} ${marks.rule}`, danger);
		addLine(`${getStepMark(state, marks)} ${title}`, looks[state]);
	}
	return (
		<Box flexDirection="column" width={columns} flexShrink={0}>
			{lines}
		</Box>
	);
}

function StepLine({steps, border}: Omit<StepperProps, 'form'>): ReactElement {
	const {here, dim, danger, marks} = useTheme();
	const at = findCurrentStep(steps);
	const {title = '', state} = steps[at] ?? {};
	const signs = steps.map(step => getStepMark(step.state, marks));
	const look = state === 'failed' ? danger : here;
	return (
		<Box height={1} flexShrink={0}>
			<Text wrap="truncate">
				<Text {...look}>{`   step ${at + 1} of ${steps.length} ${marks.dot} ${title}`}</Text>
				<Text {...dim}>{`  ${signs.slice(0, border.before).join('')}`}</Text>
				<Text {...danger}>|</Text>
				<Text {...dim}>{signs.slice(border.before).join('')}</Text>
				<Text {...danger}>{`  | ${border.shortText}`}</Text>
			</Text>
		</Box>
	);
}
