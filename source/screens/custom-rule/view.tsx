import {Box, Text} from 'ink';
import {type ReactElement, useLayoutEffect} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {linesOf} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {skippable} from '../../firewall/rules/skip.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {Has} from '../../store/ledge-store.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {ExpressionView, lengthOf} from '../expression-editor/view.tsx';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {ActionMenu, Choosing, type Offered} from '../stepped-form/choices.tsx';
import {Ended} from '../stepped-form/ended.tsx';
import {FormLine, OrderLines} from '../stepped-form/lines.tsx';
import {StepBar} from '../stepped-form/step-bar.tsx';
import {neighboursOf, placeOf, rulesThere, whyNotAction, whyNotSkip} from './draft.ts';
import {customChoicesOf, outcomeOf} from './ending.ts';
import {customReviewRows} from './review.ts';
import {type AboutRow, aboutRows, type CustomForm, customSteps, isTextRow} from './state.ts';
import {aboutCustomActions} from './steps.ts';
import {aboutSkips} from './words.ts';

const stepNames = ['expression', 'action', 'place', 'review'];

/** The form of a custom rule: one step at a time, and nothing is sent before the last one. */
export function CustomRule(): ReactElement {
	const app = useApp();
	const form = useLedge(state => state.customRule.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {step, phase, requests} = form ?? {};
	const about = phase?.name === 'ended' ? phase.ending : phase;
	useLayoutEffect(
		() => app.state().customRule.form.drawn([step, about, requests]),
		[app, step, about, requests],
	);
	if (!form) return <Empty title="There is nothing to make here." next="esc goes back" />;
	const height = bodyRows(rows);
	const bar = height >= 14 ? 3 : form.phase.name === 'ended' ? 1 : 2;
	const at = form.phase.name === 'ended' ? customSteps.length : customSteps.indexOf(form.step);
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<StepBar names={stepNames} at={at} rows={bar} />
			<Box flexDirection="column" height={height - bar} overflow="hidden">
				<Step form={form} columns={columns} rows={height - bar} />
			</Box>
		</Box>
	);
}

type StepProps = {readonly form: CustomForm; readonly columns: number; readonly rows: number};

function Step(props: StepProps): ReactElement {
	const app = useApp();
	const {form, columns, rows} = props;
	const {phase, step} = form;
	if (phase.name === 'sending') return <Sending doing={phase.doing} />;
	if (phase.name === 'ended') {
		const gap = rows < 14 ? 0 : 1;
		return (
			<Ended
				columns={columns}
				rows={rows}
				cursor={phase.cursor}
				outcome={outcomeOf(form, phase.ending)}
				choices={customChoicesOf(form)}
				titleRows={rows < 14 ? 2 : 3}
				blanks={{facts: gap, choices: gap}}
				onPoint={at => app.state().customRule.form.point(at)}
				onChoose={choice => void app.state().customRule.decide(choice)}
			/>
		);
	}
	switch (step) {
		case 'expression':
			return <ExpressionView editing={form.editing} columns={columns} rows={rows} />;
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

/** What a matching request meets; what the plan lacks is dim, with the reason. */
function ActionStep({form, columns, rows}: StepProps): ReactElement {
	const app = useApp();
	if (form.skip !== undefined)
		return (
			<Choosing
				title="What the request is let past; space chooses."
				items={skippable.map(value => ({
					value,
					about: aboutSkips[value] ?? '',
					whyNot: whyNotSkip(form, value),
				}))}
				chosen={form.skipped}
				cursor={form.skip}
				columns={columns}
				rows={rows}
			/>
		);
	return (
		<ActionMenu
			analysis={form.editing.analysis}
			items={actionItems(form)}
			now={form.action}
			columns={columns}
			rows={rows}
			onSelect={value => app.state().customRule.chooseAction(value)}
		/>
	);
}

/** The actions; of a rule that is changed its own one first, which ledge need not know and the plan may lack. */
function actionItems(form: CustomForm): readonly Offered[] {
	const {purpose} = form;
	const own = purpose.kind === 'change' ? purpose.rule.action : undefined;
	const all: readonly Offered[] = Object.entries(aboutCustomActions).map(([value, about]) => ({
		value,
		about,
	}));
	const others = all
		.filter(({value}) => value !== own)
		.map(item => ({...item, whyNot: whyNotAction(form, item.value)}));
	if (own === undefined) return others;
	const about = all.find(({value}) => value === own)?.about ?? 'an action that ledge does not know';
	return [{value: own, about: `as it is: ${about}`}, ...others];
}

const names: Readonly<Record<AboutRow, string>> = {
	place: 'place',
	description: 'description',
	paused: 'paused',
	logged: 'logged',
	status: 'status',
	type: 'content type',
	body: 'body',
};

function inWords(
	{about}: CustomForm,
	row: Exclude<AboutRow, 'place' | 'description' | 'status' | 'body'>,
): string {
	switch (row) {
		case 'paused':
			return about.paused ? 'yes: it does nothing yet' : 'no: it works at once';
		case 'logged':
			return about.logged ? 'yes: what is let past is logged' : 'no';
		case 'type':
			return about.type;
		default:
			return row satisfies never;
	}
}

/** Place, description, whether it starts paused; of a block its answer, of skip whether it is logged. */
function AboutStep({form, columns, rows}: StepProps): ReactElement {
	const {dim, warning, marks} = useTheme();
	const {about} = form;
	const place = placeOf(form);
	const problem = typeof place === 'object' ? place.problem : undefined;
	const ownAnswer = 'of the answer that blocked requests get';
	const hints: Readonly<Record<AboutRow, string>> = {
		place: `1 to ${rulesThere(form).length + 1}; empty is the last place`,
		description: `${[...textOf(about.description)].length} of 500 characters`,
		paused: 'space changes it',
		logged: 'space changes it',
		status: `400 to 499, ${ownAnswer}; empty with an empty body: the service's own page`,
		type: `${ownAnswer}; space changes it`,
		body: ownAnswer,
	};
	const lines = aboutRows(form);
	return (
		<Box flexDirection="column">
			{lines.map(row => (
				<FormLine
					key={row}
					name={names[row]}
					isHere={about.row === row}
					columns={columns}
					value={isTextRow(row) ? about[row] : inWords(form, row)}
				/>
			))}
			<Text {...(problem ? warning : dim)} wrap="truncate">
				{linesOf([problem ? `${marks.failed} ${problem}` : hints[about.row]], columns - 6, 2)
					.slice(0, 2)
					.map(line => `   ${line}`)
					.join('\n')}
			</Text>
			{!problem && rows - lines.length - 2 >= 4 && <Order form={form} columns={columns} />}
		</Box>
	);
}

const inShort = (rule: RulesetRule): string =>
	[doing(rule), ...(rule.enabled === false ? ['paused'] : []), rule.description || rule.expression].join(
		'   ',
	);

/** Its place among the rules that exist. */
function Order({form, columns}: {readonly form: CustomForm; readonly columns: number}): ReactElement {
	const {before, after, place, of} = neighboursOf(form);
	return (
		<OrderLines
			before={before && inShort(before)}
			own={`${form.action ?? ''}   number ${place} of ${of}`}
			after={after && inShort(after)}
			columns={columns}
		/>
	);
}

function ReviewStep({form, columns, rows}: StepProps): ReactElement {
	const {marks} = useTheme();
	const connection = useLedge(state => state.connection.data);
	return (
		<ScrolledRows rows={customReviewRows(form, connection, columns, marks)} top={form.top} height={rows} />
	);
}

function Sending({doing: now}: {readonly doing: 'rule' | 'looking'}): ReactElement {
	const {marks, here, dim} = useTheme();
	return (
		<Box flexDirection="column">
			<Text {...here}>{`   ${marks.now} ${now === 'rule' ? 'the rule' : 'reading the current state'}`}</Text>
			<Box height={1} />
			<Text {...dim}>{'   It continues if you leave; c stops it and reports the current state.'}</Text>
		</Box>
	);
}

/** How much was typed, and that nobody has seen it yet. */
export function customRuleStatus({customRule: {data: form}}: Has<'customRule'>): string {
	if (form?.phase.name !== 'asking') return '';
	const sent = 'nothing has been sent';
	return form.step === 'expression' ? `${lengthOf(form.editing)}, not sent to anyone yet` : sent;
}
