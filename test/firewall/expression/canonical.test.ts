import {describe, expect, it} from 'vitest';
import {matchesRequest} from '../../../source/firewall/expression/evaluate.ts';
import {analyse, canonicalize, formatExpression} from '../../../source/firewall/expression/expressions.ts';
import {getSampleTraffic} from '../../../source/firewall/expression/sample-requests.ts';
import {getRunCount} from '../../support/full.ts';
import {anyExpression, createChooser} from './any-expression.ts';

describe('the canonical form', () => {
	it.each([
		['http.host=="a"&&!ssl', '(http.host eq "a") and (not (ssl))'],
		['http.host eq "a"', 'http.host eq r#"a"#'],
		['http.host eq "\\x61"', 'http.host == "a"'],
		['cf.edge.server_port eq 0x50', 'cf.edge.server_port == 80'],
		['ip.src in {1.1.1.1 2.2.2.2}', 'ip.src in {2.2.2.2 1.1.1.1 1.1.1.1}'],
		['http.host in {"a"}', 'http.host eq "a"'],
		['ip.src in {192.0.2.1 192.0.2.1}', '(ip.src eq 192.0.2.1)'],
		['ip.src eq 2001:DB8::1', 'ip.src eq 2001:db8::1'],
		['ssl and (ssl and not ssl)', '(ssl and ssl) and not ssl'],
		['not (ssl)', '!ssl'],
		['any(http.request.headers["x"][*]=="a")', 'any( http.request.headers["x"][ * ] eq "a" )'],
		['(http.host eq lower(http.referer))', 'http.host==lower( http.referer )'],
	])('is the same for %s and %s', (one, other) => {
		expect(canonicalize(one)).toBeDefined();
		expect(canonicalize(one)).toBe(canonicalize(other));
	});

	it.each([
		['ssl and (ssl or not ssl)', 'ssl and ssl or not ssl'],
		['not (ssl and ssl)', 'not ssl and ssl'],
		['http.host eq "a"', 'http.host eq "A"'],
		['http.host eq "a"', 'http.host ne "a"'],
		['http.host wildcard "a"', 'http.host strict wildcard "a"'],
		['ip.src in {1.1.1.1}', 'not ip.src in {1.1.1.1}'],
		['ip.src in {192.0.2.0/24}', 'ip.src eq 192.0.2.0'],
		['ssl xor (ssl or ssl)', 'ssl xor ssl or ssl'],
	])('differs for %s and %s', (one, other) => {
		expect(canonicalize(one)).not.toBe(canonicalize(other));
	});

	it('matches the same requests, and does not depend on how the expression is written', () => {
		const choose = createChooser(7);
		for (let run = 0; run < getRunCount(200); run++) {
			const text = anyExpression(choose);
			const canonical = canonicalize(text);
			expect(canonical, text).toBeDefined();
			expect(canonicalize(formatExpression(text) ?? ''), text).toBe(canonical);
			expect(canonicalize(`(${text})`), text).toBe(canonical);
			expect(canonicalize(canonical ?? ''), text).toBe(canonical);
			const [one, other] = [analyse(text).tree, analyse(canonical ?? '').tree];
			if (!one || !other) throw new Error(text);
			for (const request of getSampleTraffic('shop.example').flatMap(requests => requests.slice(0, 4)))
				expect(matchesRequest(other, request), text).toBe(matchesRequest(one, request));
		}
	});

	it('is unknown for text that cannot be parsed', () => {
		expect(canonicalize('http.host eq')).toBeUndefined();
	});
});
