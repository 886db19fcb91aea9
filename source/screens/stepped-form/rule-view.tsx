import {Box, Text} from 'ink';
import {type ComponentType, type ReactElement, useLayoutEffect, useState} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {analyse} from '../../firewall/expression/expressions.ts';
import {customDescriptionBytes, maxDescriptionCharacters} from '../../firewall/limits.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {ReportLines, wrapReport} from '../expression-editor/report.tsx';
import {ExpressionText, ExpressionView, formatExpressionLength} from '../expression-editor/view.tsx';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {isTextRow, rowLabels} from './about-fields.ts';
import {ActionMenu, MultiSelect, type RuleOption} from './choices.tsx';
import {EndingView} from './ending-view.tsx';
import {FormLine, OrderLines} from './form-lines.tsx';
import {describeTypedEnd} from './rule-end.ts';
import {
	type AnyRuleKind,
	describeSent,
	findAboutProblem,
	type ProgressStep,
	type RuleForm,
} from './rule-form.ts';
import {getMatchReport} from './rule-matches.ts';
import {buildRuleReviewRows} from './rule-review.ts';
import type {FormEnding, RuleScreen} from './state.ts';
import {StepBar} from './step-bar.tsx';
import {describeTypedTargets} from './typed-targets.ts';

/** Creates the view of a rule form: one step at a time; nothing is sent before the last one. */
export const createRuleFormBody = (kind: AnyRuleKind): ComponentType =>
	function RuleFormBody(): ReactElement {
		const app = useApp();
		const {danger} = useTheme();
		const form = useLedge(state => kind.getForm(state));
		const {columns, rows} = useLedge(state => state.navigation.viewport);
		const {step, phase, requests} = form ?? {};
		const visibleState = phase?.name === 'ended' ? phase.ending : phase;
		// A new object whenever the screen is shown again, so that the review must be visible long enough again.
		const [visit] = useState({});
		useLayoutEffect(
			() => app.state()[kind.screen].operations.noticeDrawn([visit, step, visibleState, requests]),
			[app, visit, step, visibleState, requests],
		);
		if (!form) return <Empty title="Nothing to create here." next="esc goes back" />;
		const height = getBodyRows(rows);
		const steps = kind.listSteps(form);
		const stepBarRows = height >= 14 ? 3 : form.phase.name === 'ended' ? 1 : 2;
		const heading = kind.getHeading?.(form);
		const stepRows = heading === undefined ? stepBarRows : stepBarRows - 1;
		return (
			<Box flexDirection="column" height={height} overflow="hidden">
				{heading !== undefined && <Text {...danger} wrap="truncate">{`   ${heading}`}</Text>}
				{stepRows > 0 && (
					<StepBar
						names={steps.map(one => kind.getStepName(form, one))}
						currentIndex={form.phase.name === 'ended' ? steps.length : steps.indexOf(form.step)}
						rows={stepRows}
					/>
				)}
				<Box flexDirection="column" height={height - stepBarRows} overflow="hidden">
					<Step kind={kind} form={form} columns={columns} rows={height - stepBarRows} />
				</Box>
			</Box>
		);
	};

type StepProps = {
	readonly kind: AnyRuleKind;
	readonly form: RuleForm;
	readonly columns: number;
	readonly rows: number;
};

function Step(props: StepProps): ReactElement {
	const {kind, form, columns, rows} = props;
	const {phase, step} = form;
	if (phase.name === 'sending') return <SendingStep form={form} currentStep={phase.doing} />;
	if (phase.name === 'ended') return <Result {...props} ending={phase.ending} cursor={phase.cursor} />;
	switch (step) {
		case 'expression':
			return form.filter ? (
				<FilterStep {...props} />
			) : (
				<ExpressionView
					editing={form.editing}
					columns={columns}
					rows={rows}
					interpretation={describeTypedTargets(form)}
					emptyPrompt={kind.emptyPrompt}
					report={getMatchReport(form)}
				/>
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

/** Returns the analysis of the chosen filter's expression, or of the typed one. */
const getFormAnalysis = ({filter, editing, zone}: RuleForm) =>
	filter ? analyse(filter.expression ?? '', zone) : editing.analysis;

/** The chosen filter in place of an expression; creating or changing a rule never changes it. */
function FilterStep({kind, form, columns, rows}: StepProps): ReactElement {
	const {dim} = useTheme();
	const report = getMatchReport(form);
	const notes = wrapParagraphs(kind.listFilterNotes?.(form) ?? [], columns - 6);
	const isCompact = report !== undefined && rows < 8;
	const otherRows = isCompact ? 1 : 3 + notes.length;
	const reportLines = report ? wrapReport(report, columns, Math.max(1, rows - otherRows - 1)) : [];
	return (
		<Box flexDirection="column">
			<Text
				{...dim}
				wrap="truncate"
			>{`   ${form.filter?.deleted ? 'deleted' : 'existing'} filter ${toDrawable(form.filter?.id ?? '')}`}</Text>
			{!isCompact && <Box height={1} />}
			<ExpressionText
				analysis={getFormAnalysis(form)}
				columns={columns}
				rows={rows - otherRows - reportLines.length}
			/>
			{report && <ReportLines look={report.look} lines={reportLines} />}
			{!isCompact && (
				<>
					<Box height={1} />
					<Text {...dim}>{notes.map(line => `   ${line}`).join('\n')}</Text>
				</>
			)}
		</Box>
	);
}

/** The choice of an action. Actions that the plan lacks are dim, with the reason. */
function ActionStep({kind, form, columns, rows}: StepProps): ReactElement {
	const app = useApp();
	const {chooser} = kind;
	if (chooser && form.choiceCursor !== undefined) {
		const {title, names, descriptions, getNameRefusal} = chooser;
		return (
			<MultiSelect
				title={title}
				items={names.map(value => ({
					value,
					description: descriptions[value] ?? '',
					unavailableReason: getNameRefusal(form, value),
				}))}
				chosenValues={form.chosenNames}
				cursor={form.choiceCursor}
				columns={columns}
				rows={rows}
			/>
		);
	}
	return (
		<ActionMenu
			analysis={getFormAnalysis(form)}
			items={listOfferedActions(kind, form)}
			currentAction={form.pointedAction ?? form.action}
			columns={columns}
			rows={rows}
			onPoint={value => app.state()[kind.screen].pointAction(value)}
			onSelect={value => app.state()[kind.screen].chooseAction(value)}
		/>
	);
}

/**
 * Lists the actions. The own action of a changed rule comes first; it may be unknown to ledge, or missing
 * from the plan.
 */
function listOfferedActions(kind: AnyRuleKind, form: RuleForm): readonly RuleOption[] {
	const ownAction = kind.getOwnAction(form);
	const otherActions = Object.entries(kind.actions)
		.filter(([value]) => value !== ownAction)
		.map(([value, description]) => ({
			value,
			description,
			unavailableReason: kind.getActionRefusal(form, value),
		}));
	if (ownAction === undefined) return otherActions;
	return [
		{value: ownAction, description: `current: ${kind.actions[ownAction] ?? 'an action unknown to ledge'}`},
		...otherActions,
	];
}

/** Formats the values of lines that space switches. */
const formatSwitchValues = ({aboutFields: {paused, logged, type}}: RuleForm) => ({
	paused: paused ? 'yes: has no effect until you resume it' : 'no: active immediately',
	logged: logged ? 'yes: skipped requests are logged' : 'no',
	type,
});

const describeDescriptionLength = ({phase}: StepProps['kind'], text: string): string =>
	phase === undefined
		? `${[...text].length} of ${maxDescriptionCharacters} characters`
		: `${formatInteger(Buffer.byteLength(text))} of ${formatQuantity(customDescriptionBytes.rule, 'byte')}; logs keep the first ${customDescriptionBytes.logs}`;

/** The order, description, pause and other settings, and the neighbours in the order of evaluation. */
function AboutStep({kind, form, columns, rows}: StepProps): ReactElement {
	const {dim, warning, marks} = useTheme();
	const {aboutFields} = form;
	const problem = findAboutProblem(kind, form);
	const hint =
		kind.getHints(form)[aboutFields.cursorRow] ??
		(aboutFields.cursorRow === 'description'
			? describeDescriptionLength(kind, getBufferText(aboutFields.description))
			: aboutFields.cursorRow === 'ends'
				? describeTypedEnd(form)
				: 'space changes it');
	const aboutRows = kind.listRows(form);
	const spareRows = rows - aboutRows.length - 2;
	const filterEnd = spareRows > 0 ? kind.describeFilterEnd?.(form) : undefined;
	const neighbours =
		problem === undefined &&
		spareRows - (filterEnd === undefined ? 0 : 1) >= 4 &&
		kind.describeNeighbours(form);
	// In a low terminal the rows scroll with the cursor, and a hint is cut or makes room for the problem.
	const noteRows = Math.max(
		1,
		Math.min(problem === undefined ? 2 : 4, rows - aboutRows.length - (filterEnd === undefined ? 0 : 1)),
	);
	const problemLines =
		problem === undefined
			? []
			: fitParagraph(`${marks.failed} ${problem}`, columns - 6, Math.min(2, noteRows));
	const hintRows = Math.min(2, noteRows - problemLines.length);
	const hintLines = hintRows > 0 ? fitParagraph(hint, columns - 6, hintRows) : [];
	const visibleCount = Math.min(aboutRows.length, rows - noteRows);
	const firstRow = Math.max(0, aboutRows.indexOf(aboutFields.cursorRow) - visibleCount + 1);
	return (
		<Box flexDirection="column">
			{aboutRows.slice(firstRow, firstRow + visibleCount).map(row => (
				<FormLine
					key={row}
					name={row === 'order' ? (kind.orderLabel ?? '') : (rowLabels[row] ?? row)}
					isCurrent={aboutFields.cursorRow === row}
					columns={columns}
					value={isTextRow(row) ? aboutFields[row] : formatSwitchValues(form)[row]}
				/>
			))}
			{filterEnd !== undefined && <Text {...dim} wrap="truncate">{`   ${filterEnd}`}</Text>}
			{hintLines.length > 0 && (
				<Text {...dim} wrap="truncate">
					{hintLines.map(line => `   ${line}`).join('\n')}
				</Text>
			)}
			{problemLines.length > 0 && (
				<Text {...warning} wrap="truncate">
					{problemLines.map(line => `   ${line}`).join('\n')}
				</Text>
			)}
			{neighbours && <OrderLines {...neighbours} columns={columns} />}
		</Box>
	);
}

/** Wraps a sentence to `rows` rows; the end of a longer one is cut. */
function fitParagraph(text: string, columns: number, rows: number): readonly string[] {
	const lines = wrapParagraphs([text], columns, 2);
	return lines.length <= rows
		? lines
		: [...lines.slice(0, rows - 1), cutEnd(lines.slice(rows - 1).join(' '), columns)];
}

function ReviewStep({kind, form, columns, rows: height}: StepProps): ReactElement {
	const {marks} = useTheme();
	const connection = useLedge(state => state.connection.data);
	const {rows} = buildRuleReviewRows(kind, form, connection, columns, marks);
	return <ScrolledRows rows={rows} top={form.top} height={height} hint=": space" />;
}

const stepLabels: Readonly<Record<ProgressStep, string>> = {
	filter: 'the filter',
	rule: 'the rule',
	change: 'the change',
	delete: 'deleting the filter',
	undo: 'undoing',
	looking: 'reading the current state',
};

/** The requests: sent, in progress, pending. */
function SendingStep({
	form,
	currentStep,
}: {
	readonly form: RuleForm;
	readonly currentStep: ProgressStep;
}): ReactElement {
	const {marks, good, current, dim} = useTheme();
	const stopKey = useLedge(state => nameKey(`${getCurrentScreen(state)}.stop`, 'ctrl-x'));
	const allSteps: readonly ProgressStep[] = form.requests?.length === 2 ? ['filter', 'rule'] : [];
	const steps = allSteps.includes(currentStep) ? allSteps : [currentStep];
	const currentIndex = steps.indexOf(currentStep);
	return (
		<Box flexDirection="column">
			{steps.map((step, index) => (
				<Text key={step} {...(index < currentIndex ? good : index === currentIndex ? current : dim)}>
					{`   ${index < currentIndex ? marks.done : index === currentIndex ? marks.now : marks.pending} ${stepLabels[step]}`}
				</Text>
			))}
			<Box height={1} />
			<Text {...dim}>
				{`   The write continues if you leave this screen; ${stopKey} stops it and reports the current state.`}
			</Text>
		</Box>
	);
}

function Result({
	kind,
	form,
	ending,
	cursor,
}: StepProps & {readonly ending: FormEnding; readonly cursor: number}): ReactElement {
	const app = useApp();
	const viewport = useLedge(state => state.navigation.viewport);
	return (
		<EndingView
			outcome={kind.buildResultText(form, ending)}
			viewport={viewport}
			top={form.top}
			choices={kind.listChoices(form, ending)}
			cursor={cursor}
			onPoint={index => app.state()[kind.screen].operations.setEndingCursor(index)}
			onChoose={choice => void app.state()[kind.screen].decide(choice)}
		/>
	);
}

/** Creates the status line: the length of the expression, or the number of requests, and what was sent. */
export const createRuleFormStatus =
	(kind: AnyRuleKind) =>
	(state: StateWith<RuleScreen>): string => {
		const form = kind.getForm(state);
		if (form?.phase.name !== 'asking') return '';
		const {editing, step, filter, requests, orphanFilterId} = form;
		const sentSummary = describeSent(form);
		if (step === 'expression' && !filter)
			return `${formatExpressionLength(editing)}, ${orphanFilterId === undefined ? 'not sent yet' : sentSummary}`;
		return step === 'review' && requests
			? `${formatQuantity(requests.length, 'request')}, ${sentSummary}`
			: sentSummary;
	};
