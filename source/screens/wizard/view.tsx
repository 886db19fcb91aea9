import {Box, Text} from 'ink';
import {type ReactElement, useLayoutEffect} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import type {Has} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {ExpressionView, lengthOf} from '../expression-editor/view.tsx';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {Ended} from '../stepped-form/ended.tsx';
import {StepBar} from '../stepped-form/step-bar.tsx';
import {choicesOf} from './choices.ts';
import {sentSoFar} from './leaving.ts';
import {outcomeOf} from './outcome.ts';
import {reviewRows} from './review.ts';
import {type Doing, type Ending, stepsOf, type Wizard as WizardState} from './state.ts';
import {AboutStep, ActionStep, FilterStep} from './step-views.tsx';
import {stepName} from './words.ts';

/** The rule wizard: one step at a time, and nothing is sent before the last one. */
export function Wizard(): ReactElement {
	const app = useApp();
	const wizard = useLedge(state => state.wizard.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {step, phase, requests} = wizard ?? {};
	const about = phase?.name === 'ended' ? phase.ending : phase;
	useLayoutEffect(() => app.state().wizard.form.drawn([step, about, requests]), [app, step, about, requests]);
	if (!wizard) return <Empty title="There is nothing to make here." next="esc goes back" />;
	const height = bodyRows(rows);
	const steps = stepsOf(wizard.purpose);
	const bar = height >= 14 ? 3 : wizard.phase.name === 'ended' ? 1 : 2;
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<StepBar
				names={steps.map(one => stepName(wizard, one))}
				at={wizard.phase.name === 'ended' ? steps.length : steps.indexOf(wizard.step)}
				rows={bar}
			/>
			<Box flexDirection="column" height={height - bar} overflow="hidden">
				<Step wizard={wizard} columns={columns} rows={height - bar} />
			</Box>
		</Box>
	);
}

type StepProps = {readonly wizard: WizardState; readonly columns: number; readonly rows: number};

function Step(props: StepProps): ReactElement {
	const {wizard, columns, rows} = props;
	const {phase, step} = wizard;
	switch (phase.name) {
		case 'sending':
			return <Sending wizard={wizard} doing={phase.doing} />;
		case 'ended':
			return <Result {...props} ending={phase.ending} cursor={phase.cursor} />;
	}
	switch (step) {
		case 'expression':
			return wizard.filter ? (
				<FilterStep {...props} />
			) : (
				<ExpressionView editing={wizard.editing} columns={columns} rows={rows} />
			);
		case 'action':
			return <ActionStep {...props} />;
		case 'about':
			return <AboutStep {...props} />;
		case 'review':
			return <ReviewStep {...props} />;
		default:
			return step satisfies never;
	}
}

function ReviewStep({wizard, columns, rows}: StepProps): ReactElement {
	const {marks} = useTheme();
	const connection = useLedge(state => state.connection.data);
	return (
		<ScrolledRows rows={reviewRows(wizard, connection, columns, marks)} top={wizard.top} height={rows} />
	);
}

const doings: Readonly<Record<Doing, string>> = {
	filter: 'the filter',
	rule: 'the rule',
	change: 'the change',
	delete: 'deleting the filter',
	looking: 'reading the current state',
};

/** What was sent, what is under way, what is to come. */
function Sending({wizard, doing}: {readonly wizard: WizardState; readonly doing: Doing}): ReactElement {
	const {marks, good, here, dim} = useTheme();
	const all: readonly Doing[] = wizard.requests?.length === 2 ? ['filter', 'rule'] : [];
	const steps = all.includes(doing) ? all : [doing];
	const at = steps.indexOf(doing);
	return (
		<Box flexDirection="column">
			{steps.map((step, index) => (
				<Text key={step} {...(index < at ? good : index === at ? here : dim)}>
					{`   ${index < at ? marks.done : index === at ? marks.now : marks.toCome} ${doings[step]}`}
				</Text>
			))}
			<Box height={1} />
			<Text {...dim}>{'   It continues if you leave; c stops it and reports the current state.'}</Text>
		</Box>
	);
}

function Result({
	wizard,
	ending,
	...place
}: StepProps & {readonly ending: Ending; readonly cursor: number}): ReactElement {
	const app = useApp();
	// What was said, and the ways on, come before blanks.
	const isSmall = place.rows < 14;
	const gap = isSmall ? 0 : 1;
	return (
		<Ended
			{...place}
			outcome={outcomeOf(wizard, ending)}
			choices={choicesOf(wizard)}
			titleRows={isSmall ? 2 : 3}
			blanks={{facts: gap, choices: gap}}
			onPoint={at => app.state().wizard.form.point(at)}
			onChoose={choice => void app.state().wizard.decide(choice)}
		/>
	);
}

/** The line below: how much was typed, and that nobody has seen it yet. */
export function wizardStatus({wizard: {data: wizard}}: Has<'wizard'>): string {
	if (wizard?.phase.name !== 'asking') return '';
	const {editing, step, filter, requests} = wizard;
	const sent = sentSoFar(wizard);
	if (step === 'expression' && !filter)
		return `${lengthOf(editing)}, ${wizard.left === undefined ? 'not sent to anyone yet' : sent}`;
	return step === 'review' && requests ? `${counted(requests.length, 'request')}, ${sent}` : sent;
}
