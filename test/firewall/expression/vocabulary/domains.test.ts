import {describe, expect, test} from 'vitest';
import {
	knownHeaders,
	listKnownValues,
} from '../../../../source/firewall/expression/completion/known-values.ts';
import {findField} from '../../../../source/firewall/expression/expressions.ts';
import {countries} from '../../../../source/firewall/expression/vocabulary/countries.ts';
import {fields, getFieldDomain} from '../../../../source/firewall/expression/vocabulary/fields.ts';

const getDomain = (name: string) => {
	const field = findField(name);
	return field && getFieldDomain(field);
};

describe('the values of a field', () => {
	test('are shared by its former name, and absent if unknown', () => {
		expect(getDomain('ip.geoip.continent')).toEqual(getDomain('ip.src.continent'));
		expect(getDomain('ip.geoip.country')).toMatchObject({list: 'countries', near: {UK: 'GB'}});
		expect(getDomain('http.user_agent')).toBeUndefined();
	});

	test('have valid patterns, ordered limits and corrections that are values themselves', () => {
		for (const field of fields) {
			const {regex, int, near = {}, list, enum: all = []} = getFieldDomain(field) ?? {};
			if (regex !== undefined) expect(() => new RegExp(regex)).not.toThrow();
			if (int) expect(int[0]).toBeLessThanOrEqual(int[1]);
			for (const correction of Object.values(near)) expect(list ? countries : all).toContain(correction);
		}
	});

	test('include everything that completion offers', () => {
		for (const field of fields) {
			const {regex, int, case: letters, tolerate = []} = getFieldDomain(field) ?? {};
			for (const {text, about} of listKnownValues(field.name)) {
				expect(about).toMatch(/\S/);
				const value = text.startsWith('"') ? text.slice(1, -1) : Number(text);
				if (typeof value === 'string') {
					if (regex !== undefined) expect(value).toMatch(new RegExp(regex));
					if (letters === 'upper') expect(value).toBe(value.toUpperCase());
				} else if (int) expect(value >= int[0] && value <= int[1] ? value : tolerate).toBe(value);
			}
		}
	});

	test.each([
		['ip.src.continent', 8],
		['ip.geoip.continent', 8],
		['ip.src.country', countries.length + 3],
		['cf.verified_bot_category', 17],
		['cf.llm.prompt.unsafe_topic_categories', 6],
		['http.host', 0],
	])('for %s, %d are offered', (name, count) => {
		expect(listKnownValues(name)).toHaveLength(count);
	});

	test('are lower-case names for headers', () => {
		expect(getDomain('http.request.headers')?.keys).toBe('lower');
		for (const {text} of knownHeaders) expect(text).toBe(text.toLowerCase());
	});
});
