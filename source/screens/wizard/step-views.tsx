import {Box, Text} from 'ink';

import type {ReactElement} from 'react';

import {linesOf} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {products} from '../../firewall/rules/rule.ts';

import {textOf} from '../../text/buffer/buffer.ts';
import {drawable} from '../../text/columns.ts';

import {ExpressionText} from '../expression-editor/view.tsx';
import {useApp} from '../shell/use-ledge.ts';
import {ActionMenu, Choosing, type Offered} from '../stepped-form/choices.tsx';
import {FormLine, OrderLines} from '../stepped-form/lines.tsx';
import {neighboursOf, whyNotAction, whyNotProduct} from './draft.ts';
import {
	type AboutRow,
	aboutRows,
	analysisHere,
	isAction,
	isOfRule,
	priorityOf,
	type Wizard,
} from './state.ts';
import {aboutActions, aboutProducts, offeredActions, ruleInShort} from './words.ts';

type StepProps = {readonly wizard: Wizard; readonly columns: number; readonly rows: number};

/** The filter that is there, as it is: a rule that is made or changed never changes it. */
export function FilterStep({wizard, columns, rows}: StepProps): ReactElement {
	const {dim} = useTheme();
	return (
		<Box flexDirection="column">
			<Text {...dim}>{`   filter ${drawable(wizard.filter?.id ?? '')}, which exists already`}</Text>
			<Box height={1} />
			<ExpressionText analysis={analysisHere(wizard)} columns={columns} rows={rows - 4} />
			<Box height={1} />
			<Text {...dim}>{`   It stays as it is: the rule will refer to it.`}</Text>
		</Box>
	);
}

/** What a matching request meets; what the plan lacks is dim, with the reason. */
export function ActionStep({wizard, columns, rows}: StepProps): ReactElement {
	const app = useApp();
	if (wizard.product !== undefined)
		return (
			<Choosing
				title="What the request goes around; space chooses."
				items={products.map(value => ({
					value,
					about: aboutProducts[value],
					whyNot: whyNotProduct(wizard, value),
				}))}
				chosen={wizard.products}
				cursor={wizard.product}
				columns={columns}
				rows={rows}
			/>
		);
	return (
		<ActionMenu
			analysis={analysisHere(wizard)}
			items={actionItems(wizard)}
			now={wizard.action}
			columns={columns}
			rows={rows}
			onSelect={value => app.state().wizard.chooseAction(value)}
		/>
	);
}

/** The actions; of a rule that is changed its own one first, which ledge need not know and the plan may lack. */
function actionItems(wizard: Wizard): readonly Offered[] {
	const {purpose} = wizard;
	const own = purpose.kind === 'change rule' ? purpose.rule.action : undefined;
	const others = offeredActions
		.filter(value => value !== own)
		.map(value => ({value, about: aboutActions[value], whyNot: whyNotAction(wizard, value)}));
	if (own === undefined) return others;
	const about = isAction(own) ? aboutActions[own] : 'an action that ledge does not know';
	return [{value: own, about: `as it is: ${about}`}, ...others];
}

/** Priority, description, and whether it starts paused; for a rule, between which others it would stand. */
export function AboutStep({wizard, columns, rows}: StepProps): ReactElement {
	const {dim, warning, marks} = useTheme();
	const {about} = wizard;
	const priority = priorityOf(wizard);
	const problem = typeof priority === 'object' && priority !== null ? priority.problem : undefined;
	const hints: Readonly<Record<AboutRow, string>> = {
		priority: 'smaller goes first; empty is none, which goes last',
		description: `${[...textOf(about.description)].length} of 500 characters`,
		paused: 'space changes it',
	};
	const lines = aboutRows(wizard);
	return (
		<Box flexDirection="column">
			{lines.map(row => (
				<FormLine
					key={row}
					name={row}
					isHere={about.row === row}
					columns={columns}
					value={
						row === 'paused'
							? about.paused
								? 'yes: it does nothing yet'
								: 'no: it works at once'
							: about[row]
					}
				/>
			))}
			<Text {...(problem ? warning : dim)} wrap="truncate">
				{linesOf([problem ? `${marks.failed} ${problem}` : `${hints[about.row]}`], columns - 6, 2)
					.slice(0, 2)
					.map(line => `   ${line}`)
					.join('\n')}
			</Text>
			{isOfRule(wizard) && !problem && (
				<Order wizard={wizard} columns={columns} rows={rows - lines.length - 2} />
			)}
		</Box>
	);
}

/** Its place among the rules that are there. */
function Order({wizard, columns, rows}: StepProps): ReactElement | null {
	const {before, after, place, of} = neighboursOf(wizard);
	if (rows < 4) return null;
	return (
		<OrderLines
			before={before && ruleInShort(before)}
			own={`${wizard.action ?? ''}   number ${place} of ${of}`}
			after={after && ruleInShort(after)}
			columns={columns}
		/>
	);
}
