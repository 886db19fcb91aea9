import type {Field} from './entries.ts';
import {field} from './field.ts';
import {boolean, bytes, integer, ip, string} from './value-type.ts';

const certificate = (name: string, type: Field['type'], about: string): Field =>
	field(`cf.tls_client_auth.${name}`, type, about);

/** How the client is connected: the edge server, TLS, and the certificate that the client showed. */
export const connectionFields: readonly Field[] = [
	field('cf.edge.server_port', integer, 'port that the client connected to'),
	field('cf.edge.server_ip', ip, 'address that the client connected to'),
	field('cf.edge.client_tcp', boolean, 'whether the client connected over TCP'),
	field('cf.edge.l4.delivery_rate', integer, 'rate of delivery to the client, in bytes a second'),
	field('cf.ray_id', string, 'id of the request at the service'),
	field('cf.random_seed', bytes, 'random bytes, new for each request'),
	field('cf.hostname.metadata', string, 'metadata of the custom hostname'),
	field('cf.worker.upstream_zone', string, 'zone of the Worker that sent the request'),
	field('cf.tls_version', string, 'version of TLS, as TLSv1.3'),
	field('cf.tls_cipher', string, 'cipher of the TLS connection'),
	field('cf.tls_client_extensions_sha1', string, 'SHA-1 of the TLS extensions of the client, as Base64'),
	field('cf.tls_client_extensions_sha1_le', string, 'the same, of the extensions in little-endian form'),
	field('cf.tls_ciphers_sha1', string, 'SHA-1 of the ciphers that the client offers, as Base64'),
	field('cf.tls_client_hello_length', integer, 'length of the first TLS message, in bytes'),
	field('cf.tls_client_random', string, 'random value of the first TLS message, as Base64'),
	field('cf.timings.client_tcp_rtt_msec', integer, 'round trip to the client over TCP, in milliseconds'),
	field('cf.timings.client_quic_rtt_msec', integer, 'round trip to the client over QUIC, in milliseconds'),
	field('cf.timings.edge_msec', integer, 'time the edge took, in milliseconds'),
	field('cf.timings.origin_ttfb_msec', integer, 'time until the first byte of the origin, in milliseconds'),
	field('cf.timings.worker_msec', integer, 'time a Worker took, in milliseconds'),
	certificate('cert_verified', boolean, 'whether the certificate of the client is valid'),
	certificate('cert_presented', boolean, 'whether the client showed a certificate'),
	certificate('cert_revoked', boolean, 'whether the certificate of the client was revoked'),
	certificate('cert_issuer_dn', string, 'issuer of the certificate of the client'),
	certificate('cert_subject_dn', string, 'subject of the certificate of the client'),
	certificate('cert_issuer_dn_rfc2253', string, 'issuer of the certificate, as in RFC 2253'),
	certificate('cert_subject_dn_rfc2253', string, 'subject of the certificate, as in RFC 2253'),
	certificate('cert_issuer_dn_legacy', string, 'issuer of the certificate, in the old form'),
	certificate('cert_subject_dn_legacy', string, 'subject of the certificate, in the old form'),
	certificate('cert_serial', string, 'serial number of the certificate'),
	certificate('cert_issuer_serial', string, 'serial number of the certificate of the issuer'),
	certificate('cert_fingerprint_sha256', string, 'SHA-256 of the certificate'),
	certificate('cert_fingerprint_sha1', string, 'SHA-1 of the certificate'),
	certificate('cert_not_before', string, 'when the certificate begins to be valid'),
	certificate('cert_not_after', string, 'when the certificate ends to be valid'),
	certificate('cert_ski', string, 'key identifier of the certificate'),
	certificate('cert_issuer_ski', string, 'key identifier of the certificate of the issuer'),
	certificate('cert_rfc9440', string, 'the certificate itself, as in RFC 9440'),
	certificate('cert_rfc9440_too_large', boolean, 'whether the certificate was too large to be given'),
	certificate('cert_chain_rfc9440', string, 'the chain of certificates, as in RFC 9440'),
	certificate('cert_chain_rfc9440_too_large', boolean, 'whether the chain was too large to be given'),
];
