import {linesOf} from '../../components/paragraphs.ts';
import type {Theme} from '../../components/theme.ts';
import {clip} from '../../text/wrap.ts';
import {marked, type Row, said, spaced} from '../rows/rows.ts';
import type {Connection} from '../shell/connection-slice.ts';
import {requestRows} from '../write-flow/requests.ts';
import {type AnyRuleKind, findObstacle, type RuleForm} from './rule-form.ts';

type Review = {
	readonly rows: readonly Row[];
	/** Number of rows up to the end of the requests. */
	readonly requestEnd: number;
};

/**
 * Builds the review: the effect, warnings and findings, affected rules, each request with its complete body,
 * and what the rule does not protect against.
 */
export function reviewRows(
	kind: AnyRuleKind,
	form: RuleForm,
	connection: Connection | undefined,
	columns: number,
	marks: Pick<Theme['marks'], 'failed' | 'warning' | 'dot'>,
): Review {
	const width = columns - 6;
	const {requests = [], shows} = form;
	const {summary, changes, warnings, concerns, limits = []} = kind.review(form);
	const about = [
		...clip(linesOf(summary, width, 2), 3).map((text): Row => [{text, look: 'here'}]),
		...said(changes, width),
		...kind.findings(form).flatMap(({about, severity, sentence, failure: {details}}) => {
			const isError = severity === 'error';
			// The text field marks the position of expression problems.
			const why = details.why && about !== 'expression' ? ` ${details.why}` : '';
			const mark = isError ? marks.failed : marks.warning;
			return marked(mark, `${sentence}${why}`, width, isError ? 'danger' : 'warning');
		}),
		...warnings.flatMap(text => marked(marks.warning, text, width, 'warning')),
		...said(concerns, width, 'plain', 2),
	];
	const before = spaced(
		about,
		requestRows(
			{
				requests,
				shows,
				obstacle: findObstacle(kind, form),
				note: requests.length > 1 ? 'the second one only if the first succeeds' : undefined,
				indent: kind.indent,
			},
			connection,
			width,
		),
	);
	if (limits.length === 0) return {rows: before, requestEnd: before.length};
	const after = [
		...said('It does NOT protect from:', width, 'danger'),
		...limits.flatMap(({text, look}) => marked(marks.dot, text, width, look)),
	];
	return {rows: spaced(before, after), requestEnd: before.length};
}
