import fc from 'fast-check';
import {entryLists, type GeneratedDocument} from './documents.ts';

const trivia = fc.constantFrom(
	'',
	'',
	' ',
	'\n',
	'\n\t',
	' /* [ { " */ ',
	' // }, "\n',
	'\n  /* two\n lines */\n',
);

export const jsonDocument: fc.Arbitrary<GeneratedDocument> = fc
	.record({
		end: fc.constantFrom('\n', '\r\n'),
		mark: fc.constantFrom('', '\ufeff'),
		strict: fc.boolean(),
		between: fc.infiniteStream(trivia),
		trailing: fc.infiniteStream(fc.boolean()),
		top: fc.option(entryLists, {nil: undefined}),
		environments: fc.uniqueArray(
			fc.record({
				name: fc.constantFrom('staging', 'a b', 'constructor'),
				entries: fc.option(entryLists, {nil: undefined}),
			}),
			{selector: ({name}) => name, maxLength: 2},
		),
		noise: fc.jsonValue({maxDepth: 2}),
	})
	.map(choices => {
		const comments: string[] = [];
		const entriesByEnvironment = new Map<string, {binding: string; line: number}[]>();
		let text = '';
		const names: readonly string[] = choices.environments.map(({name}) => name);
		const addGap = () => {
			const piece = choices.between.next().value;
			if (!choices.strict) text += piece;
			else if (piece.trim() === '') text += piece;
			if (!choices.strict && piece.trim() !== '') comments.push(...piece.trim().split('\n'));
		};
		/** Adds a token after white space and comments, unless `hasGap`: those are already added. */
		const addToken = (piece: string, hasGap = false) => {
			if (!hasGap) addGap();
			text += piece;
		};
		const write = (value: unknown, environment: string, isBindingList = false, hasGap = false): void => {
			if (typeof value !== 'object' || value === null) {
				addToken(JSON.stringify(value), hasGap);
				return;
			}
			const isList = Array.isArray(value);
			addToken(isList ? '[' : '{', hasGap);
			for (const [index, [key, inner]] of Object.entries(value).entries()) {
				if (index > 0) addToken(',');
				addGap();
				if (isBindingList)
					entriesByEnvironment
						.get(environment)
						?.push({binding: inner.binding, line: text.split('\n').length});
				if (!isList) {
					text += JSON.stringify(key);
					addToken(':');
				}
				const isNamespacesKey = !isList && key === 'kv_namespaces';
				if (isNamespacesKey) entriesByEnvironment.set(environment, []);
				const innerEnvironment = !isList && names.includes(key) ? key : environment;
				write(inner, innerEnvironment, isNamespacesKey, isList);
			}
			if (Object.keys(value).length > 0 && !choices.strict && choices.trailing.next().value) addToken(',');
			addToken(isList ? ']' : '}');
		};
		const content = {
			name: 'api',
			noise: choices.noise,
			...(choices.top && {kv_namespaces: choices.top}),
			...(choices.environments.length > 0 && {
				env: Object.fromEntries(
					choices.environments.map(({name, entries: list}) => [
						name,
						{vars: {}, ...(list && {kv_namespaces: list})},
					]),
				),
			}),
		};
		write(content, '');
		addGap();
		return {
			format: choices.strict ? ('json' as const) : ('jsonc' as const),
			text: choices.mark + text.replaceAll('\n', choices.end),
			comments,
			environments: names,
			entries: entriesByEnvironment,
		};
	});
