import fc from 'fast-check';
import {entries, type MadeDocument} from './documents.ts';

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

export const jsonDocument: fc.Arbitrary<MadeDocument> = fc
	.record({
		end: fc.constantFrom('\n', '\r\n'),
		mark: fc.constantFrom('', '\ufeff'),
		strict: fc.boolean(),
		between: fc.infiniteStream(trivia),
		trailing: fc.infiniteStream(fc.boolean()),
		top: fc.option(entries, {nil: undefined}),
		environments: fc.uniqueArray(
			fc.record({
				name: fc.constantFrom('staging', 'a b', 'constructor'),
				entries: fc.option(entries, {nil: undefined}),
			}),
			{selector: ({name}) => name, maxLength: 2},
		),
		noise: fc.jsonValue({maxDepth: 2}),
	})
	.map(made => {
		const comments: string[] = [];
		const found = new Map<string, {binding: string; line: number}[]>();
		let text = '';
		const names: readonly string[] = made.environments.map(({name}) => name);
		const gap = () => {
			const piece = made.between.next().value;
			if (!made.strict) text += piece;
			else if (piece.trim() === '') text += piece;
			if (!made.strict && piece.trim() !== '') comments.push(...piece.trim().split('\n'));
		};
		/** Behind a key or comma come white space and comments; an element of a list has had its own before. */
		const token = (piece: string, placed = false) => {
			if (!placed) gap();
			text += piece;
		};
		const write = (value: unknown, environment: string, list = false, placed = false): void => {
			if (typeof value !== 'object' || value === null) {
				token(JSON.stringify(value), placed);
				return;
			}
			const isList = Array.isArray(value);
			token(isList ? '[' : '{', placed);
			for (const [index, [key, inner]] of Object.entries(value).entries()) {
				if (index > 0) token(',');
				gap();
				if (list) found.get(environment)?.push({binding: inner.binding, line: text.split('\n').length});
				if (!isList) {
					text += JSON.stringify(key);
					token(':');
				}
				const isBindings = !isList && key === 'kv_namespaces';
				if (isBindings) found.set(environment, []);
				const within = !isList && names.includes(key) ? key : environment;
				write(inner, within, isBindings, isList);
			}
			if (Object.keys(value).length > 0 && !made.strict && made.trailing.next().value) token(',');
			token(isList ? ']' : '}');
		};
		const whole = {
			name: 'api',
			noise: made.noise,
			...(made.top && {kv_namespaces: made.top}),
			...(made.environments.length > 0 && {
				env: Object.fromEntries(
					made.environments.map(({name, entries: list}) => [
						name,
						{vars: {}, ...(list && {kv_namespaces: list})},
					]),
				),
			}),
		};
		write(whole, '');
		gap();
		return {
			format: made.strict ? ('json' as const) : ('jsonc' as const),
			text: made.mark + text.replaceAll('\n', made.end),
			comments,
			environments: names,
			entries: found,
		};
	});
