# What a person types here. `make run` and `make test` install what is missing by themselves.
#
#   make run      build, and start OpenTask in the foreground (ARGS="--listen 127.0.0.1:3001 --state ./other")
#   make test     every test that this machine can run
#   make check    what a reviewer runs: format, build, tests, units
#   make races    the store and the event stream under the thread sanitizer, in a build of its own (minutes)
#   make rig      boot a throw-away systemd with the installed house, and give a shell in it (root)
#   make bench    one table of ratios, each against a peer in the same run
#   make install  DESTDIR= PREFIX=/usr/local: programs, Swift runtime, units, web app (docs/install.md)
#   make setup    install what is missing; `run` and `test` do that first

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup setup-test setup-bench build release run test check races format rig bench install verify-units clean

PREFIX ?= /usr/local
DESTDIR ?=
# Which build is installed: release, or debug for the tests' rig.
CONFIG ?= release
ARGS ?=

SWIFT_BUILD := swift build --explicit-target-dependency-import-check error

help:
	@sed -n 's/^#   //p' Makefile

setup:
	@tools/setup run

setup-test:
	@tools/setup test

setup-bench:
	@tools/setup bench

build: setup
	$(SWIFT_BUILD)

release: setup
	$(SWIFT_BUILD) -c release

run: release
	@OPENTASK_WEB="$${OPENTASK_WEB:-$(CURDIR)/web:$(CURDIR)/var/web-vendor}" exec .build/release/opentask up $(ARGS)

test: setup-test
	@tools/test

check: setup-test format
	@tools/test
	@$(MAKE) --no-print-directory verify-units

races: setup-test
	@tools/races

format:
	swift format lint --strict --recursive --parallel --configuration .swift-format \
	    Package.swift cli services shared Tests

# Lays the house out under build/root as it will lie on a machine, and lets systemd judge the units there.
verify-units: setup
	@rm -rf build/root
	@$(MAKE) --no-print-directory install CONFIG=debug DESTDIR=$(CURDIR)/build/root > /dev/null
	tools/verify-units build/root $(PREFIX)

rig: build
	@rm -rf build/root
	@$(MAKE) --no-print-directory install CONFIG=debug DESTDIR=$(CURDIR)/build/root > /dev/null
	@echo "In the rig: systemctl start opentask.target, opentask doctor, journalctl -u 'opentask-*'; exit ends it."
	@Tests/rig/systemd_rig.py --layer build/root

bench: setup-bench release
	Tests/bench/run

install:
	@CONFIG=$(CONFIG) DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) tools/install

clean:
	rm -rf .build build
